// The tarball of `npm pack`, put into an empty folder beside links to its dependencies: it starts without a build, without
// a dev dependency and without a registry.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillWithDatabase } from '#service/database/folders.fixture.ts';
import { buildDashboard, waitForLink } from './startStudio.ts';

const ROOT = resolve(import.meta.dirname, '..');
const MIB = 1024 ** 2;

let folder = '';
let tarball = '';
let installed = '';
let studio: ChildProcess | null = null;

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** As npm would install it, but its dependencies are links to those of the checkout. */
function install(): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  const manifest = JSON.parse(readFileSync(join(modules, 'package', 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const source = join(ROOT, 'node_modules', name);
    // Those for other systems are not there.
    if (!existsSync(source)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(source, join(modules, name));
  }
  return join(modules, 'package');
}

beforeAll(async () => {
  await buildDashboard();
  folder = mkdtempSync(join(tmpdir(), 'model-studio-package-'));
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  installed = install();
}, 240_000);

afterAll(async () => {
  if (studio?.exitCode === null) {
    studio.kill('SIGTERM');
    await once(studio, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

it('is small, and holds no sources of TypeScript and no tests', () => {
  expect(statSync(tarball).size).toBeLessThan(25 * MIB);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.tsx?$|test/i.test(file) && !file.includes('testBindingBinary'))).toEqual([]);
  expect(files).toContain(join('dist', 'index.html'));
  // What a worker may load, such as the data of languages, is beside it.
  const workers = files.filter((file) => /[\\/]\w+Worker-[\w-]+\.js$/.test(file));
  expect(workers.length).toBeGreaterThan(3);
  for (const worker of workers) expect(statSync(join(installed, worker)).size, worker).toBeLessThan(300_000);
});

it('has beside the code every file that the sources find by a path', () => {
  const sources = join(ROOT, 'src');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !/\.(test|fixture)\.|^ui[\\/]|[\\/]web[\\/]/.test(file),
  );
  const named = files.flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/new URL\('(\.\/[\w.]+\/?)', import\.meta\.url\)/g)].map(
      ([, path = '']) => basename(path).replace(/Entry\.ts$/, 'Entry.mjs'),
    ),
  );
  expect(named.length).toBeGreaterThan(8);
  // They start or build TypeScript, of which the package has none.
  for (const name of named.filter((file) => !['main.ts', 'buildService.ts', 'isolatedStart.mjs'].includes(file)))
    expect(existsSync(join(installed, 'lib', name)), name).toBe(true);
});

it(
  'starts in an empty folder, shows the page and answers with a model of the sample',
  { timeout: 120_000 },
  async () => {
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
    const cwd = mkdtempSync(join(folder, 'empty-'));
    // Making a database takes seconds; a first start without any is of process.test.ts.
    await fillWithDatabase(join(cwd, '.studio'));
    const env = { PATH: process.env['PATH'], HOME: folder };
    const program = join(installed, bin['model-studio'] ?? '');
    const version = execFileSync(program, ['--version'], { cwd, env, encoding: 'utf8' });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    studio = spawn(program, ['--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: string[] = [];
    for (const stream of [studio.stdout, studio.stderr]) stream?.on('data', (data: Buffer) => parts.push(String(data)));
    const link = new URL(await waitForLink(studio, () => parts.join(''), 100));
    expect(readdirSync(cwd)).toEqual(['.studio']);
    const headers = {
      Authorization: `Bearer ${link.searchParams.get('token')}`,
      'Content-Type': 'application/json',
    };
    const page = await (await fetch(link.origin)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(new URL(script, link.origin))).headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${link.origin}/reference`, { headers })).status).toBe(200);
    const body = {
      model: 'support-base',
      messages: [{ role: 'user', content: 'Where is my order?' }],
      max_completion_tokens: 40,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'n',
          schema: { type: 'object', properties: { n: { enum: [7] } }, required: ['n'], additionalProperties: false },
        },
      },
    };
    const answer = await fetch(`${link.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const completion = (await answer.json()) as { choices?: { message: { content: string } }[] };
    expect(JSON.parse(completion.choices?.[0]?.message.content ?? JSON.stringify(completion))).toEqual({ n: 7 });
    expect(parts.join('')).not.toMatch(/warning|deprecat/i);
    studio.kill('SIGTERM');
    const [code] = (await once(studio, 'exit')) as [number | null];
    expect(code).toBe(0);
  },
);
