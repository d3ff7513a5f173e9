// The project keeps its rules, and each rule sees a planted violation.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findCaseClashes,
  findComponentNames,
  findForbiddenText,
  findLooseVersions,
  findMissingPackages,
  findStrayTests,
  type LockFile,
  type Source,
} from './codeRules.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const list = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((path) => path !== '');
const read = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** The rules' own files hold every violation. */
const sources = list('src', 'e2e', '*.ts')
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('e2e/tools/codeRules'))
  .map(read);

describe('the project', () => {
  it.each([
    ['text that no file may contain', findForbiddenText],
    ['tests that test nothing', findStrayTests],
    ['components under another name', findComponentNames],
    ['names that only case tells apart', findCaseClashes],
  ])('has no %s', (_, find) => expect(find(sources)).toEqual([]));

  it('pins every package, for all platforms', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json').text) as Record<string, object>;
    expect(findLooseVersions({ ...dependencies, ...devDependencies } as Record<string, string>)).toEqual([]);
    expect(findMissingPackages(JSON.parse(read('package-lock.json').text) as LockFile)).toEqual([]);
  });

  it('is explained in few words: five minutes for the README, an hour for all', () => {
    const countWords = (path: string): number => read(path).text.split(/\s+/).filter(Boolean).length;
    expect(countWords('README.md')).toBeLessThanOrEqual(1200);
    const all = list('*.md', '**/*.md').filter((path) => !path.startsWith('findings/'));
    expect([...new Set(all)].reduce((sum, path) => sum + countWords(path), 0)).toBeLessThanOrEqual(12_000);
  });
});

describe('each rule sees a planted violation', () => {
  it.each([
    ['src/core/a.ts', '// @ts-ignore', 'a switched-off compiler'],
    ['src/core/a.ts', '// oxlint-disable-next-line', 'a switched-off linter'],
    ['src/core/a.ts', "eval('1')", 'code from text'],
    ['e2e/a.ts', '// TODO', 'unfinished work'],
    ['src/core/a.ts', "open('/home/me')", 'a path of one machine'],
    ['src/ui/kit/A.tsx', 'node.innerHTML = text', 'raw HTML'],
    ['src/ui/kit/a.ts', "export { b } from './b.ts';", "another file's exports passed on"],
    ['src/features/runs/web/a.ts', 'const FORMAT = new Intl.NumberFormat();', 'a formatter made before it is needed'],
    ['src/features/runs/server/a.ts', 'fork(file)', 'a thread or process that service/threads did not open'],
    ['src/core/a.test.ts', 'it.skip()', 'a test that does not count'],
    ['e2e/a.e2e.ts', 'page.waitForTimeout(1)', 'a wait that guesses'],
    ['e2e/a.e2e.ts', 'page.route(url)', 'a made-up service'],
    ['src/core/a.fixture.ts', 'beforeEach(() => {});', 'a hook that one test file alone gets'],
    ['e2e/a.e2e.ts', 'expect(performance.now()).toBeLessThan(5)', 'a clock that judges'],
  ])('%s: %s', (path, text, what) => {
    expect(findForbiddenText([{ path, text }])).toEqual([`${path}: ${what}`]);
    expect(findForbiddenText([{ path, text: 'export const a = 1;' }])).toEqual([]);
  });

  it('in tests', () => {
    const subject = { path: 'src/core/a.ts', text: '' };
    expect(findStrayTests([{ path: 'src/core/a.test.ts', text: 'expect(1)' }])).toHaveLength(1);
    expect(findStrayTests([subject, { path: 'src/core/a.test.ts', text: 'it()' }])).toHaveLength(1);
    expect(findStrayTests([subject, { path: 'src/core/a.part.test.ts', text: 'expect(1)' }])).toEqual([]);
  });

  it('in names', () => {
    const text = 'export function Button() {}';
    expect(findComponentNames([{ path: 'src/ui/kit/Bottom.tsx', text }])).toEqual([
      'src/ui/kit/Bottom.tsx: exports Button',
    ]);
    expect(findComponentNames([{ path: 'src/ui/kit/Button.tsx', text }])).toEqual([]);
    expect(findCaseClashes(['src/core/a.ts', 'src/core/A.ts'].map((path) => ({ path, text })))).toHaveLength(1);
  });

  it('in package files', () => {
    expect(findLooseVersions({ a: '^1.0.0', b: '1.0.0', c: '1.0.0-beta.1' })).toEqual([
      'a: ^1.0.0 is not one exact version',
    ]);
    const packages = { 'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0' } } };
    expect(findMissingPackages({ packages })).toEqual(['node_modules/a: a-linux is missing from the lock file']);
    expect(findMissingPackages({ packages: { ...packages, 'node_modules/a-linux': {} } })).toEqual([]);
  });
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['an import from core to a feature', 'src/core', "import type { B } from '#features/runs/shared/runs.ts';"],
  ['an import from the kit to a feature', 'src/ui', "import type { B } from '#features/runs/shared/runs.ts';"],
  ['an import from the service to a feature', 'src/service', "import type { B } from '#features/runs/server/runs.ts';"],
  ['an import from a feature to the app', 'src/features/runs/web', "import type { B } from '#app/web/liveState.ts';"],
  [
    'an import from the page to the service',
    'src/features/runs/web',
    "import type { B } from '#service/http/route.ts';",
  ],
  ['an import from the service to the page', 'src/app/server', "import type { B } from '#ui/kit/format.ts';"],
  ['an import from the page to Node', 'src/ui', "import type { B } from 'node:fs';"],
  ['an import of a fixture', 'src/core', "import type { B } from './b.fixture.ts';"],
  [
    'an import of what a feature keeps to itself',
    'src/features/runs/web',
    "import('#features/notes/web/NoteForm.tsx');",
  ],
  ['a function of more than 120 lines', 'src/core', `export function b() {\n${'  c();\n'.repeat(120)}}`],
];
const ALLOWED: typeof REFUSED = [
  ['an import from a feature to core', 'src/features/runs/web', "import type { B } from '#core/contract/tree.ts';"],
  [
    'an import of what a feature offers',
    'src/features/notes/web',
    "import type { B } from '#features/runs/shared/runs.ts';",
  ],
  ['a function of 120 lines', 'src/core', `export function b() {\n${'  c();\n'.repeat(118)}}`],
  ['an import from the app to a feature', 'src/app/web', "import type { B } from '#features/notes/web/NoteForm.tsx';"],
];

describe('of the linter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-studio-imports-'));
  const planted = [...REFUSED, ...ALLOWED].map(([name, place, text], index) => ({
    name,
    path: `${place}/planted${index}.ts`,
    text,
  }));
  let found = '';
  beforeAll(() => {
    copyFileSync(join(ROOT, 'oxlint.config.mjs'), join(folder, 'oxlint.config.mjs'));
    for (const { path, text } of planted) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const program = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const options = ['-c', 'oxlint.config.mjs', '--format', 'unix', 'src'];
    found = String(spawnSync(process.execPath, [program, ...options], { cwd: folder }).stdout);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const isRefused = (name: string): boolean =>
    found
      .split('\n')
      .some(
        (line) =>
          line.includes(planted.find((each) => each.name === name)!.path) && /restricted|nodejs|max-lines/.test(line),
      );

  it.each(REFUSED)('%s: refused', (name) => expect(isRefused(name), found).toBe(true));
  it.each(ALLOWED)('%s: allowed', (name) => expect(isRefused(name), found).toBe(false));
});
