// The code that the playground gives away, really run against the service: what arrives is the request that it stands
// for.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { parseChatRequest, type ChatRequest } from '#core/contract/chatRequest.ts';
import { findCodeLanguage, toRequestCode } from '#features/playground/web/inspector/requestCode.ts';
import { openTestService, TOKEN } from '#service/http/testService.fixture.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

const HOSTILE = `it's "quoted" \`id\` $(id) $HOME \${x} \\ %s !! \nEND_OF_REQUEST\n\r\ttab 🚀 é \u2028 \u0000 {{x}} #`;

const REQUEST: ChatRequest = {
  model: 'plain',
  messages: [
    { role: 'system', content: HOSTILE },
    { role: 'user', content: `${HOSTILE}'''"""` },
  ],
  temperature: 0.25,
  stop: ["'", '\n', '$x'],
  seed: 7,
  tools: [
    {
      type: 'function',
      function: {
        name: 'look_up',
        description: HOSTILE,
        parameters: JSON.parse(
          '{"type":"object","properties":{"__proto__":{"type":"string"},"a\'b":{"type":"string"}}}',
        ) as Record<string, unknown>,
      },
    },
  ],
  stream: true,
};

/** Stands in for curl where a machine has none: it reads the same arguments. */
const CURL = `const args = process.argv.slice(2);
const headers = {};
let url = '';
for (let at = 0; at < args.length; at += 1) {
  if (args[at] === '--header') { const [name, ...rest] = args[++at].split(': '); headers[name] = rest.join(': '); }
  else if (args[at] === '--data-binary') at += 1;
  else if (!args[at].startsWith('--')) url = args[at];
}
const parts = [];
for await (const part of process.stdin) parts.push(part);
const answer = await fetch(url, { method: 'POST', headers, body: Buffer.concat(parts) });
process.stdout.write(Buffer.from(await answer.arrayBuffer()));
`;

const folder = keepFolder();
const service = await keep(openTestService());

function run(
  command: string,
  args: readonly string[],
  path = process.env['PATH'] ?? '',
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, PATH: path, STUDIO_TOKEN: TOKEN } });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('error', reject).once('close', (code) => resolve({ code, out, err }));
  });
}

/** What the engine got last, which has lost nothing of what the request says. */
function expectArrived(): void {
  const parsed = parseChatRequest(JSON.parse(JSON.stringify(REQUEST)));
  expect(parsed.ok).toBe(true);
  expect(service.engine.requests.at(-1)).toMatchObject(parsed.ok ? parsed.value : {});
}

const origin = (): string => service.origin;

/** The machine's own curl, where there is one, and always the stand-in. */
const CURLS = spawnSync('curl', ['--version']).status === 0 ? ['own', 'stand-in'] : ['stand-in'];

it.each(CURLS)('curl (%s)', async (which) => {
  const file = join(folder, 'request.sh');
  writeFileSync(file, toRequestCode('curl', { request: REQUEST, origin: origin() }));
  const { code, out, err } = await run('sh', [file], which === 'own' ? undefined : writeStandIn());
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('[DONE]');
  expectArrived();
});

function writeStandIn(): string {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, 'curl.mjs'), CURL);
  writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${join(bin, 'curl.mjs')}' "$@"\n`);
  chmodSync(join(bin, 'curl'), 0o755);
  return `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
}

async function runScript(request: ChatRequest): Promise<Awaited<ReturnType<typeof run>>> {
  // Under its own name, with the command that it suggests, and no package.json beside it.
  const file = join(folder, findCodeLanguage('typescript').fileName);
  writeFileSync(file, toRequestCode('typescript', { request, origin: origin() }));
  return run(process.execPath, ['--import', 'tsx', file]);
}

it('TypeScript', async () => {
  const { code, out, err } = await runScript(REQUEST);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe('Grüße "you"\n');
  expectArrived();
});

it.each([true, false])('TypeScript prints the calls of tools (stream: %s)', async (stream) => {
  const { code, out, err } = await runScript({ ...REQUEST, model: 'tools', stream });
  expect([code, err]).toEqual([0, '']);
  expect(out.trim().split(/\n+/)).toEqual(['calls look_up {"id":7}', 'calls send {}']);
});
