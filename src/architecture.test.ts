// The rules hold for the real files, and each rule sees a planted violation.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findBadTests,
  findBannedText,
  findBarrels,
  findCaseClashes,
  findCycles,
  findImportForms,
  findLayerBreaks,
  findLockFaults,
  findNames,
  findPackageFaults,
  findSizes,
  findThinTests,
  importsOf,
  LAYERS,
  lineCount,
  type LockFile,
  type PackageFile,
  type Source,
} from './architecture';

const ROOT = new URL('../', import.meta.url);

function read(path: string): Source {
  return { path, text: readFileSync(new URL(path, ROOT), 'utf8') };
}

function list(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? list(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
}

const isText = (path: string): boolean => /\.(tsx?|css|html|json|sql)$/.test(path) || path.endsWith('.sse');
// This file holds every violation there is, in its own texts.
const isOther = (path: string): boolean => path !== 'src/architecture.test.ts';
const sources = [...list('src/'), ...list('e2e/'), 'vite.config.ts', 'index.html'].filter((path) => isText(path) && isOther(path)).map(read);
const packageFile = JSON.parse(read('package.json').text) as PackageFile;

const RULES = {
  layers: findLayerBreaks,
  'import forms': findImportForms,
  cycles: findCycles,
  sizes: findSizes,
  barrels: findBarrels,
  names: findNames,
  'case clashes': findCaseClashes,
  'banned text': findBannedText,
  tests: findBadTests,
  'test lines': findThinTests,
} as const;

describe('the project', () => {
  it.each(Object.entries(RULES))('keeps the rule: %s', (_name, rule) => expect(rule(sources)).toEqual([]));

  it('pins every package, and uses it', () => {
    expect(findPackageFaults(packageFile, sources)).toEqual([]);
  });

  it('has every folder of the layer table, and the table every folder', () => {
    const folders = new Set(sources.flatMap(({ path }) => (/^src\/\w+\//.test(path) ? [path.split('/')[1]] : [])));
    expect([...folders].sort()).toEqual(Object.keys(LAYERS).filter((folder) => folder !== '.').sort());
  });

  it('lets a layer import only what stands before it in the table', () => {
    const order = Object.keys(LAYERS).slice(1);
    for (const [place, folder] of order.entries()) {
      for (const allowed of LAYERS[folder]!) expect(order.indexOf(allowed)).toBeLessThan(place);
    }
  });
});

const src = (path: string, text: string): Source => ({ path: `src/${path}`, text });
const HEAD = '// What this file owns.\n';
const lines = (count: number): string => HEAD + 'x\n'.repeat(count - 1);

/** Each planted violation is found; the same source put right is not. */
const PLANTED: readonly (readonly [keyof typeof RULES, string, Source[], Source[]])[] = [
  ['layers', 'contract imports something', [src('contract/a.ts', "import { b } from '../stream/b';")], [src('stream/b.ts', "import { a } from '../contract/a';")]],
  ['layers', 'features import each other', [src('tree/A.tsx', "import { B } from '../playground/B';")], [src('app/A.tsx', "import { B } from '../playground/B';")]],
  ['layers', 'ui knows the client', [src('ui/A.tsx', "import type { B } from '../api/b';")], [src('tree/A.tsx', "import type { B } from '../api/b';")]],
  ['layers', 'a lazy import', [src('ui/A.tsx', "const B = lazy(() => import('../app/B'));")], [src('ui/A.tsx', "const B = lazy(() => import('./B'));")]],
  ['layers', 'a passed-on export', [src('ui/a.ts', "export { b } from '../app/b';")], [src('ui/a.ts', "export { b } from './b';")]],
  ['layers', 'an import over several lines', [src('nano/a.ts', "import {\n  a,\n  b,\n} from '../engine/b';")], [src('engine/a.ts', "import {\n  a,\n} from '../contract/b';")]],
  ['layers', 'the service in the browser', [src('app/a.ts', "import { b } from '../service/b';")], [src('service/a.ts', "import { b } from '../studio/b';")]],
  ['layers', 'Node in the browser', [src('api/a.ts', "import { createServer } from 'node:http';")], [src('api/a.test.ts', "import { createServer } from 'node:http';")]],
  ['layers', 'a folder nobody knows', [src('extra/a.ts', '')], [src('engine/a.ts', '')]],
  ['import forms', 'an extension', [src('ui/a.ts', "import { b } from './b.ts';")], [src('ui/a.ts', "import './b.css';")]],
  ['import forms', 'two levels', [src('ui/a.ts', "import { b } from '../../e2e/b';")], [src('ui/a.ts', "import { b } from '../contract/b';"), src('main.tsx', "import { App } from './app/App';")]],
  ['import forms', 'a deeper path', [src('ui/a.ts', "import { b } from '../contract/sub/b';")], [src('ui/a.ts', "import { b } from '@base-ui/react/menu';")]],
  ['import forms', 'an alias', [src('ui/a.ts', "import { b } from '@/ui/b';")], [src('ui/a.ts', "import { b } from 'react';")]],
  ['cycles', 'two files', [src('ui/a.ts', "import { b } from './b';"), src('ui/b.ts', "import { a } from './a';")], [src('ui/a.ts', "import { b } from './b';"), src('ui/b.ts', '')]],
  ['cycles', 'three files over folders', [src('ui/a.ts', "import '../api/b';"), src('api/b.ts', "import type { C } from './C';"), src('api/C.tsx', "const a = import('../ui/a');")], [src('ui/a.ts', "import '../api/b';"), src('api/b.ts', "import { C } from './C';"), src('api/C.tsx', '')]],
  ['case clashes', 'a component and its logic', [src('ui/Edge.tsx', ''), src('ui/edge.ts', HEAD)], [src('ui/Edge.tsx', ''), src('ui/edgeMove.ts', HEAD), src('app/edge.ts', HEAD)]],
  ['sizes', 'one long file', [src('ui/a.ts', lines(401))], [src('ui/a.ts', lines(400)), src('ui/a.test.ts', lines(900))]],
  ['barrels', 'an index file', [src('ui/index.ts', HEAD)], [src('ui/a.ts', HEAD)]],
  ['barrels', 'exports passed on', [src('ui/a.ts', "export {\n  b,\n} from './b';")], [src('ui/a.ts', 'export const a = 1;')]],
  ['barrels', 'all of them', [src('ui/a.ts', "export * from './b';")], [src('ui/a.ts', 'export { b };')]],
  ['barrels', 'types', [src('ui/a.ts', "export type { B } from './b';")], [src('ui/a.ts', 'export type B = string;')]],
  ['names', 'a vague folder', [src('ui/utils/a.css', '')], [src('ui/look.css', '')]],
  ['names', 'a vague file', [src('ui/helpers.ts', HEAD)], [src('ui/format.ts', HEAD)]],
  ['names', 'a subfolder', [src('ui/button/a.ts', HEAD)], [src('studio/sample/a.json', '')]],
  ['names', 'a component in camelCase', [src('ui/button.tsx', 'export function button() {}')], [src('ui/Button.tsx', 'export function Button() {}')]],
  ['names', 'an export of another name', [src('ui/Button.tsx', 'export function Knob() {}')], [src('ui/Button.tsx', 'function Knob() {}\nexport const Button = memo(Knob);')]],
  ['names', 'two exports', [src('ui/Button.tsx', 'export function Button() {}\nexport interface ButtonProps {}')], [src('ui/Button.tsx', 'export function Button() {}\ninterface ButtonProps {}')]],
  ['names', 'a module in PascalCase', [src('ui/Format.ts', HEAD)], [src('ui/format.test.ts', '')]],
  ['names', 'no words on what it owns', [src('ui/format.ts', 'export const a = 1;')], [src('ui/format.ts', `${HEAD}${HEAD}export const a = 1;`)]],
  ['names', 'too many words', [src('ui/format.ts', HEAD.repeat(4))], [src('ui/format.ts', HEAD.repeat(3))]],
  ['banned text', 'a cast', [src('ui/a.ts', 'const a = b as any;')], [src('ui/a.ts', 'const a = b as anything;')]],
  ['banned text', 'an annotation', [src('ui/a.ts', 'function a(b: any) {}')], [src('ui/a.ts', '// Like this: any text.')]],
  ['banned text', 'a type argument', [src('ui/a.ts', 'type A = Record<string, any>;')], [src('ui/a.ts', 'type A = Record<string, unknown>;')]],
  ['banned text', 'a silenced compiler', [src('ui/a.test.ts', '// @ts-expect-error wrong')], [src('ui/a.ts', '// An error is expected.')]],
  ['banned text', 'a silenced linter', [src('ui/a.ts', '/* eslint-disable */')], [src('ui/a.ts', '// lint')]],
  ['banned text', 'raw HTML', [src('ui/A.tsx', '<p dangerouslySetInnerHTML={{ __html: a }} />')], [src('ui/A.tsx', '<p>{a}</p>')]],
  ['banned text', 'an HTML sink', [src('ui/a.ts', 'node.innerHTML = a;')], [src('ui/a.ts', 'node.textContent = a;'), src('ui/a.test.ts', 'expect(node.innerHTML)')]],
  ['banned text', 'code from text', [src('ui/a.ts', 'eval(a)')], [src('ui/a.ts', 'medieval (a)')]],
  ['banned text', 'a function from text', [src('service/a.ts', 'new Function(a)')], [src('service/a.ts', 'new FunctionCall(a)')]],
  ['banned text', 'unfinished work', [src('ui/a.ts', '// TODO: later')], [src('ui/a.ts', '// Mastodon')]],
  ['banned text', 'a document nobody else has', [src('ui/a.ts', '// see NOTES.md')], [src('ui/a.ts', '// see README.md')]],
  ['banned text', 'a path of one machine', [src('ui/a.ts', "'/home/me/a'")], [src('ui/a.ts', "'../homework/a'")]],
  ['banned text', 'console in the browser', [src('ui/a.ts', 'console.log(1);')], [src('engine/a.ts', 'console.log(1);'), src('ui/a.test.ts', 'console.log(1);')]],
  ['tests', 'a skipped test', [src('ui/a.test.ts', "it.skip('a', () => {})")], [src('ui/a.test.ts', "it('skips', () => {})")]],
  ['tests', 'a lonely suite', [src('ui/a.test.ts', "describe.only('a', () => {})")], [src('ui/a.test.ts', "describe.each([])('a', () => {})")]],
  ['tests', 'a sleep', [{ path: 'e2e/a.e2e.ts', text: 'await page.waitForTimeout(500);' }], [{ path: 'e2e/a.e2e.ts', text: 'await expect(a).toBeVisible();' }]],
  ['tests', 'a guess at silence', [{ path: 'e2e/a.ts', text: "waitUntil: 'networkidle'" }], [src('ui/a.ts', "'networkidle'")]],
  ['tests', 'a made-up service', [{ path: 'e2e/a.e2e.ts', text: "await page.route('**', answer);" }], [{ path: 'e2e/a.e2e.ts', text: "await page.goto('/');" }]],
  ['tests', 'a clock that judges', [src('ui/a.test.ts', 'expect(performance.now() - started).toBeLessThan(1_000);')], [src('ui/a.test.ts', 'const started = performance.now();\nexpect(reads).toBe(3);')]],
  ['test lines', 'fewer than the source', [src('stream/a.ts', lines(20)), src('stream/a.test.ts', lines(19))], [src('stream/a.ts', lines(20)), src('stream/a.test.ts', lines(20))]],
];

describe('planted violations', () => {
  it.each(PLANTED)('%s: %s', (name, _what, bad, good) => {
    expect(RULES[name](bad)).not.toEqual([]);
    expect(RULES[name](good)).toEqual([]);
  });

  it('plants one for every rule', () => {
    expect([...new Set(PLANTED.map(([name]) => name))].sort()).toEqual(Object.keys(RULES).sort());
  });

  const pinned: PackageFile = { scripts: { check: 'tsc --noEmit' }, dependencies: { react: '19.3.1' }, devDependencies: { typescript: '7.0.2', '@types/react': '19.3.0' } };
  const uses = [src('ui/A.tsx', "import { memo } from 'react';")];

  it.each<[string, PackageFile, Source[]]>([
    ['a range', { ...pinned, dependencies: { react: '^19.3.1' } }, uses],
    ['a tag', { ...pinned, dependencies: { react: 'latest' } }, uses],
    ['an address', { ...pinned, dependencies: { react: 'github:facebook/react' } }, uses],
    ['a package that nothing imports', pinned, []],
    ['one whose name only begins like an import', pinned, [src('ui/A.tsx', "import { memo } from 'react-dom';")]],
    ['a program that nothing calls', { ...pinned, scripts: {} }, uses],
    ['types of a package that is not there', { ...pinned, devDependencies: { ...pinned.devDependencies, '@types/pg': '8.0.0' } }, uses],
  ])('packages: %s', (_what, file, files) => {
    expect(findPackageFaults(pinned, uses)).toEqual([]);
    expect(findPackageFaults(file, files)).not.toEqual([]);
  });
});

it('has a lock file that holds every platform\'s packages', () => {
  expect(findLockFaults(JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile)).toEqual([]);
  const packages = { 'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0' } } };
  expect(findLockFaults({ packages })).toEqual(['node_modules/a: a-linux is missing from the lock file']);
  expect(findLockFaults({ packages: { ...packages, 'node_modules/a-linux': {} } })).toEqual([]);
});

describe('measures', () => {
  it('counts lines', () => {
    expect([lineCount('a\nb\n'), lineCount('a\nb'), lineCount('a')]).toEqual([2, 2, 1]);
  });

  it('finds every way to import', () => {
    const text = "import 'a';\nimport b from 'b';\nimport type { C } from 'c';\nimport {\n  d,\n} from 'd';\nexport * from 'e';\nconst f = import('f');\nconst g = \"from 'g'\";\n";
    expect(importsOf(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
