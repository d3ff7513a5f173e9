// Compiling: requests that are small but would take long. How soon each is answered, and how the service does
// meanwhile.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder, startStudio, type StartedStudio } from '../startStudio.ts';
import { amount } from './short.ts';

const SAMPLE = resolve(import.meta.dirname, '../../src/features/projects/server/sample/support-base.Q8_0.gguf');
/** Refuses a role that comes twice, as templates of Gemma, Llama 2 and Mistral do. */
const ALTERNATING =
  "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must " +
  "alternate') }}{% endif %}{{ m.role + ':' + m.content + '\n' }}{% endfor %}";
const ROUNDS = amount(200, 2);

/** Writes the sample model with another template of the same length. */
function writeModel(folder: string): string {
  const bytes = readFileSync(SAMPLE);
  const key = 'tokenizer.chat_template';
  // Behind the key: the type (4 bytes), the length (8 bytes), the text.
  const at = bytes.indexOf(key) + key.length + 4;
  const length = Number(bytes.readBigUInt64LE(at));
  if (ALTERNATING.length > length) throw new Error(`The sample's template has only ${length} bytes.`);
  bytes.write(`${ALTERNATING}{#${' '.repeat(Math.max(0, length - ALTERNATING.length - 4))}#}`.slice(0, length), at + 8);
  const file = join(folder, 'alternating.gguf');
  writeFileSync(file, bytes);
  return file;
}

const HELLO = [{ role: 'user', content: 'Hello' }];

function withSchema(schema: unknown): object {
  return { messages: HELLO, response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
}

const inside = (schema: unknown): object => withSchema({ type: 'object', properties: { a: schema }, required: ['a'] });
const pattern = (text: string): object => inside({ type: 'string', pattern: text });

function nullable(levels: number): unknown {
  return levels === 0 ? {} : { anyOf: [nullable(levels - 1), { type: 'null' }] };
}

function toTools(toSchema: (index: number) => unknown): object {
  const tools = Array.from({ length: 128 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      strict: true,
      parameters: { type: 'object', properties: { a: toSchema(index) } },
    },
  }));
  return { messages: HELLO, tools };
}

function toConversation(count: number): object {
  const role = (index: number): string => (index % 2 === 0 ? 'user' : 'assistant');
  return {
    model: 'alternating',
    messages: Array.from({ length: count }, (_, index) => ({
      role: role(index === count - 1 ? index - 1 : index),
      content: 'a',
    })),
  };
}

const spellings = Array.from({ length: 700 }, (_, index) =>
  [...'definition'].map((char, bit) => ((index >> bit) & 1 ? `%${char.charCodeAt(0).toString(16)}` : char)).join(''),
);

const REQUESTS: readonly (readonly [string, object])[] = [
  ['anyOf with null, 11 levels', withSchema(nullable(11))],
  ['anyOf with null, 16 levels', withSchema(nullable(16))],
  ['[ab]* 120 times', pattern('[ab]*'.repeat(120))],
  ['[ab]* 2,000 times', pattern('[ab]*'.repeat(2000))],
  ['(a|b|ab)* 500 times', pattern('(a|b|ab)*'.repeat(500))],
  ['(.{0,100}x){0,50}', pattern('(.{0,100}x){0,50}')],
  ['a refused last role of 100', toConversation(100)],
  ['a refused last role of 800', toConversation(800)],
  ['a refused last role of 1,600', toConversation(1600)],
  ['a refused last role of 10,000', toConversation(10_000)],
  ['a{1} 15,000 times', pattern('a{1}'.repeat(15_000))],
  ['a{1} 4,000 times', pattern('a{1}'.repeat(4_000))],
  [
    'one $ref in 700 spellings',
    withSchema({
      type: 'object',
      properties: Object.fromEntries(spellings.map((name, index) => [`p${index}`, { $ref: `#/$defs/${name}` }])),
      $defs: { definition: { type: 'object', properties: { x: {} } } },
    }),
  ],
  [
    'oneOf of two enums of 15,000',
    withSchema({ oneOf: [1, 2].map((value) => ({ enum: Array.from({ length: 15_000 }, () => value) })) }),
  ],
  [
    '128 strict tools with such patterns',
    toTools((index) => ({ type: 'string', pattern: '[ab]*'.repeat(2000) + index })),
  ],
  [
    '128 strict tools with such enums',
    toTools((index) => ({
      oneOf: [{ enum: Array.from({ length: 9000 }, () => 1) }, { enum: Array.from({ length: 9000 }, () => 2 + index) }],
    })),
  ],
];

/** Asks for /healthz again and again until `done`; gives the slowest answer in ms. */
async function watchHealth(studio: StartedStudio, done: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  void done.finally(() => {
    state.isDone = true;
  });
  let slowest = 0;
  while (!state.isDone) {
    const started = performance.now();
    await (await fetch(`${studio.origin}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - started);
  }
  return slowest;
}

async function ask(
  studio: StartedStudio,
  body: object,
): Promise<{ readonly ms: number; readonly status: number; readonly text: string }> {
  const started = performance.now();
  const response = await fetch(`${studio.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${studio.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'support-base', temperature: 1, seed: 7, max_completion_tokens: 64, ...body }),
  });
  const text = await response.text();
  return { ms: performance.now() - started, status: response.status, text };
}

/** Prints for each request how soon it is answered, with what, and the slowest /healthz meanwhile. */
export async function measureCompile(): Promise<void> {
  const folder = makeFolder('compile');
  const studio = await startStudio({ args: ['--model', `alternating=${writeModel(folder)}`] });
  try {
    await ask(studio, { messages: HELLO });
    await ask(studio, { messages: HELLO, model: 'alternating' });
    for (const [name, body] of REQUESTS) {
      const asked = ask(studio, body);
      const slowest = await watchHealth(studio, asked);
      const { ms, status, text } = await asked;
      const param = /"param":"([^"]*)"/.exec(text)?.[1];
      const tokens = /"completion_tokens":(\d+)/.exec(text)?.[1];
      process.stdout.write(
        `compile, ${name}: ${status} after ${ms.toFixed(0)} ms (${param ?? `${tokens ?? '?'} tokens`}); slowest ` +
          `/healthz ${slowest.toFixed(0)} ms\n`,
      );
    }
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      times.push((await ask(studio, { messages: HELLO, max_completion_tokens: 1 })).ms);
    times.sort((one, two) => one - two);
    process.stdout.write(
      `compile, a plain answer of one token: ${times[ROUNDS / 2]?.toFixed(1)} ms (median of ${ROUNDS})\n`,
    );
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
