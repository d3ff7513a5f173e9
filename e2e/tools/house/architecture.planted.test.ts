// Each rule sees a planted violation, and lets the same source put right pass.
import { describe, expect, it } from 'vitest';
import { findPackageFaults, RULES, type PackageFile, type Source } from './architecture.ts';

const src = (path: string, text: string): Source => ({ path: `src/${path}`, text });
const HEAD = '// What this file owns.\n';
const lines = (count: number): string => HEAD + 'x\n'.repeat(count - 1);

/** Each planted violation is found; the same source put right is not. */
const PLANTED: readonly (readonly [keyof typeof RULES, string, Source[], Source[]])[] = [
  [
    'layers',
    'contract imports something',
    [src('shared/contract/a.ts', "import { b } from '#shared/stream/b.ts';")],
    [src('shared/stream/b.ts', "import { a } from '#shared/contract/a.ts';")],
  ],
  [
    'layers',
    'features import each other',
    [src('web/tree/A.tsx', "import { B } from '#web/playground/B.tsx';")],
    [src('web/app/A.tsx', "import { B } from '#web/playground/B.tsx';")],
  ],
  [
    'layers',
    'ui knows the client',
    [src('web/ui/A.tsx', "import type { B } from '#web/api/b.ts';")],
    [src('web/tree/A.tsx', "import type { B } from '#web/api/b.ts';")],
  ],
  [
    'layers',
    'a lazy import',
    [src('web/ui/A.tsx', "const B = lazy(() => import('#web/app/B.tsx'));")],
    [src('web/ui/A.tsx', "const B = lazy(() => import('./B.tsx'));")],
  ],
  [
    'layers',
    'a passed-on export',
    [src('web/ui/a.ts', "export { b } from '#web/app/b.ts';")],
    [src('web/ui/a.ts', "export { b } from './b.ts';")],
  ],
  [
    'layers',
    'an import over several lines',
    [src('server/engine/grammar/a.ts', "import {\n  a,\n  b,\n} from '#server/studio/b.ts';")],
    [src('server/engine/a.ts', "import {\n  a,\n} from '#shared/contract/b.ts';")],
  ],
  [
    'layers',
    'the service in the browser',
    [src('web/app/a.ts', "import { b } from '#server/service/b.ts';")],
    [src('server/service/a.ts', "import { b } from '#server/studio/b.ts';")],
  ],
  [
    'layers',
    'Node in the browser',
    [src('web/api/a.ts', "import { createServer } from 'node:http';")],
    [src('web/api/a.test.ts', "import { createServer } from 'node:http';")],
  ],
  ['layers', 'a folder nobody knows', [src('web/extra/a.ts', '')], [src('server/engine/a.ts', '')]],
  [
    'layers',
    'shared knows the web',
    [src('shared/training/a.ts', "import '#web/ui/b.ts';")],
    [src('web/compare/a.ts', "import '#shared/training/b.ts';")],
  ],
  [
    'layers',
    'the web knows the server',
    [src('web/api/a.ts', "import '#server/studio/b.ts';")],
    [src('server/studio/a.ts', "import '#shared/contract/b.ts';")],
  ],
  [
    'layers',
    'the server knows the web',
    [src('server/service/a.ts', "import '#web/api/b.ts';")],
    [src('server/service/a.ts', "import '#server/engine/b.ts';")],
  ],
  [
    'layers',
    'a room inside knows the room around it',
    [src('web/tree/index/a.ts', "import '#web/tree/b.ts';")],
    [src('web/tree/a.ts', "import '#web/tree/index/b.ts';")],
  ],
  [
    'layers',
    'a room inside knows a room beside it',
    [src('web/ui/fields/a.ts', "import '#web/ui/lazy/b.ts';")],
    [src('web/ui/fields/a.ts', "import '#web/ui/b.ts';")],
  ],
  [
    'layers',
    'a feature takes what lies inside another',
    [src('web/tree/a.ts', "import '#web/playground/desk/b.ts';")],
    [src('web/tree/a.ts', "import '#web/ui/lazy/b.ts';")],
  ],
  [
    'layers',
    'a test reaches into another feature',
    [src('web/tree/a.test.ts', "import '#web/playground/b.ts';")],
    [src('web/playground/desk/a.test.ts', "import '#web/playground/b.fixture.ts';")],
  ],
  [
    'import forms',
    'no extension',
    [src('web/ui/a.ts', "import { b } from './b';")],
    [src('web/ui/a.ts', "import { b } from './b.ts';\nimport './b.css';")],
  ],
  [
    'import forms',
    'relative between rooms',
    [src('web/ui/a.ts', "import { b } from '../session/b.ts';")],
    [src('web/ui/a.ts', "import { b } from '#shared/contract/b.ts';")],
  ],
  [
    'import forms',
    'by name inside a room',
    [src('web/ui/a.ts', "import { b } from '#web/ui/b.ts';")],
    [src('web/ui/a.ts', "import { b } from '#web/ui/lazy/b.ts';")],
  ],
  [
    'import forms',
    'another alias',
    [src('web/ui/a.ts', "import { b } from '@/ui/b';")],
    [src('web/ui/a.ts', "import { b } from '@base-ui/react/menu';")],
  ],
  [
    'cycles',
    'two files',
    [src('web/ui/a.ts', "import { b } from './b.ts';"), src('web/ui/b.ts', "import { a } from './a.ts';")],
    [src('web/ui/a.ts', "import { b } from './b.ts';"), src('web/ui/b.ts', '')],
  ],
  [
    'cycles',
    'three files over folders',
    [
      src('web/ui/a.ts', "import '#web/api/b.ts';"),
      src('web/api/b.ts', "import type { C } from './C.tsx';"),
      src('web/api/C.tsx', "const a = import('#web/ui/a.ts');"),
    ],
    [
      src('web/ui/a.ts', "import '#web/api/b.ts';"),
      src('web/api/b.ts', "import { C } from './C.tsx';"),
      src('web/api/C.tsx', ''),
    ],
  ],
  [
    'case clashes',
    'a component and its logic',
    [src('web/ui/Edge.tsx', ''), src('web/ui/edge.ts', HEAD)],
    [src('web/ui/Edge.tsx', ''), src('web/ui/edgeMove.ts', HEAD), src('web/app/edge.ts', HEAD)],
  ],
  [
    'sizes',
    'one long file',
    [src('web/ui/a.ts', lines(401))],
    [src('web/ui/a.ts', lines(400)), src('web/ui/a.test.ts', lines(400))],
  ],
  [
    'full rooms',
    'one file too many',
    Array.from({ length: 43 }, (_, index) => src(`web/ui/a${index}.ts`, '')),
    [
      ...Array.from({ length: 40 }, (_, index) => src(`web/ui/a${index}.ts`, '')),
      src('web/ui/a.test.ts', ''),
      src('web/ui/a.fixture.ts', ''),
    ],
  ],
  [
    'readmes',
    'none',
    [src('web/ui/a.ts', '')],
    [src('web/ui/a.ts', ''), src('web/ui/README.md', lines(10)), src('web/main.tsx', '')],
  ],
  ['readmes', 'a long one', [src('web/ui/README.md', lines(41))], [src('web/ui/README.md', lines(40))]],
  [
    'readmes',
    'a longer one than the table of what SPEC leaves open needs',
    [src('shared/contract/README.md', lines(91))],
    [src('shared/contract/README.md', lines(90))],
  ],
  [
    'test names',
    'no subject',
    [src('web/ui/a.test.ts', '')],
    [src('web/ui/a.test.ts', ''), src('web/ui/a.plots.test.ts', ''), src('web/ui/a.ts', '')],
  ],
  [
    'fixture use',
    'a test that asserts nothing',
    [src('web/ui/a.test.ts', "it('runs', () => void run());")],
    [src('web/ui/a.test.ts', 'expect(1).toBe(1);')],
  ],
  [
    'fixture use',
    'the product uses a fixture',
    [src('web/ui/a.ts', "import './b.fixture.ts';")],
    [src('web/ui/a.test.ts', "import './b.fixture.ts';\nexpect(1).toBe(1);")],
  ],
  ['barrels', 'an index file', [src('web/ui/index.ts', HEAD)], [src('web/ui/a.ts', HEAD)]],
  [
    'barrels',
    'exports passed on',
    [src('web/ui/a.ts', "export {\n  b,\n} from './b.ts';")],
    [src('web/ui/a.ts', 'export const a = 1;')],
  ],
  ['barrels', 'all of them', [src('web/ui/a.ts', "export * from './b.ts';")], [src('web/ui/a.ts', 'export { b };')]],
  [
    'barrels',
    'types',
    [src('web/ui/a.ts', "export type { B } from './b.ts';")],
    [src('web/ui/a.ts', 'export type B = string;')],
  ],
  ['names', 'a vague folder', [src('web/ui/utils/a.css', '')], [src('web/ui/look.css', '')]],
  ['names', 'a vague file', [src('web/ui/helpers.ts', HEAD)], [src('web/ui/format.ts', HEAD)]],
  ['names', 'too deep', [src('web/ui/lazy/button/a.ts', HEAD)], [src('server/studio/sample/a.json', '')]],
  [
    'names',
    'a component in camelCase',
    [src('web/ui/button.tsx', 'export function button() {}')],
    [src('web/ui/Button.tsx', 'export function Button() {}')],
  ],
  [
    'names',
    'an export of another name',
    [src('web/ui/Button.tsx', 'export function Knob() {}')],
    [src('web/ui/Button.tsx', 'function Knob() {}\nexport const Button = memo(Knob);')],
  ],
  [
    'names',
    'two exports',
    [src('web/ui/Button.tsx', 'export function Button() {}\nexport interface ButtonProps {}')],
    [src('web/ui/Button.tsx', 'export function Button() {}\ninterface ButtonProps {}')],
  ],
  ['names', 'a module in PascalCase', [src('web/ui/Format.ts', HEAD)], [src('web/ui/format.test.ts', '')]],
  ['names', 'too many words', [src('web/ui/format.ts', HEAD.repeat(4))], [src('web/ui/format.ts', HEAD.repeat(3))]],
  [
    'banned text',
    'a cast',
    [src('web/ui/a.ts', 'const a = b as any;')],
    [src('web/ui/a.ts', 'const a = b as anything;')],
  ],
  [
    'banned text',
    'an annotation',
    [src('web/ui/a.ts', 'function a(b: any) {}')],
    [src('web/ui/a.ts', '// Like this: any text.')],
  ],
  [
    'banned text',
    'a type argument',
    [src('web/ui/a.ts', 'type A = Record<string, any>;')],
    [src('web/ui/a.ts', 'type A = Record<string, unknown>;')],
  ],
  [
    'banned text',
    'a silenced compiler',
    [src('web/ui/a.test.ts', '// @ts-expect-error wrong')],
    [src('web/ui/a.ts', '// An error is expected.')],
  ],
  ['banned text', 'a silenced linter', [src('web/ui/a.ts', '/* eslint-disable */')], [src('web/ui/a.ts', '// lint')]],
  [
    'banned text',
    'raw HTML',
    [src('web/ui/A.tsx', '<p dangerouslySetInnerHTML={{ __html: a }} />')],
    [src('web/ui/A.tsx', '<p>{a}</p>')],
  ],
  [
    'banned text',
    'an HTML sink',
    [src('web/ui/a.ts', 'node.innerHTML = a;')],
    [src('web/ui/a.ts', 'node.textContent = a;'), src('web/ui/a.test.ts', 'expect(node.innerHTML)')],
  ],
  [
    'banned text',
    'a thread of its own',
    [src('server/data/a.ts', "new Worker(new URL('./b.mjs', import.meta.url));")],
    [src('server/apart/a.ts', 'new Worker(entry);'), src('web/grid/a.ts', 'new Worker(entry);')],
  ],
  ['banned text', 'code from text', [src('web/ui/a.ts', 'eval(a)')], [src('web/ui/a.ts', 'medieval (a)')]],
  [
    'banned text',
    'a function from text',
    [src('server/service/a.ts', 'new Function(a)')],
    [src('server/service/a.ts', 'new FunctionCall(a)')],
  ],
  ['banned text', 'unfinished work', [src('web/ui/a.ts', '// TODO: later')], [src('web/ui/a.ts', '// Mastodon')]],
  [
    'banned text',
    'a document nobody else has',
    [src('web/ui/a.ts', '// see NOTES.md')],
    [src('web/ui/a.ts', '// see README.md')],
  ],
  [
    'banned text',
    'a path of one machine',
    [src('web/ui/a.ts', "'/home/me/a'")],
    [src('web/ui/a.ts', "'#homework/a.ts'")],
  ],
  [
    'banned text',
    'console in the browser',
    [src('web/ui/a.ts', 'console.log(1);')],
    [src('server/engine/a.ts', 'console.log(1);'), src('web/ui/a.test.ts', 'console.log(1);')],
  ],
  [
    'banned text',
    'a formatter before it is needed',
    [src('web/ui/a.ts', "const words = new Intl.Segmenter('en');")],
    [
      src('web/ui/a.ts', "const words = makeOnce(() => new Intl.Segmenter('en'));"),
      src('server/engine/a.ts', "const words = new Intl.Segmenter('en');"),
    ],
  ],
  [
    'tests',
    'a skipped test',
    [src('web/ui/a.test.ts', "it.skip('a', () => {})")],
    [src('web/ui/a.test.ts', "it('skips', () => {})")],
  ],
  [
    'tests',
    'a lonely suite',
    [src('web/ui/a.test.ts', "describe.only('a', () => {})")],
    [src('web/ui/a.test.ts', "describe.each([])('a', () => {})")],
  ],
  [
    'tests',
    'a sleep',
    [{ path: 'e2e/a.e2e.ts', text: 'await page.waitForTimeout(500);' }],
    [{ path: 'e2e/a.e2e.ts', text: 'await expect(a).toBeVisible();' }],
  ],
  [
    'tests',
    'a guess at silence',
    [{ path: 'e2e/a.ts', text: "waitUntil: 'networkidle'" }],
    [src('web/ui/a.ts', "'networkidle'")],
  ],
  [
    'tests',
    'a made-up service',
    [{ path: 'e2e/a.e2e.ts', text: "await page.route('**', answer);" }],
    [{ path: 'e2e/a.e2e.ts', text: "await page.goto('/');" }],
  ],
  [
    'tests',
    'a clock that judges',
    [src('web/ui/a.test.ts', 'expect(performance.now() - started).toBeLessThan(1_000);')],
    [src('web/ui/a.test.ts', 'const started = performance.now();\nexpect(reads).toBe(3);')],
  ],
];

describe('planted violations', () => {
  it.each(PLANTED)('%s: %s', (name, _what, bad, good) => {
    expect(RULES[name](bad)).not.toEqual([]);
    expect(RULES[name](good)).toEqual([]);
  });

  it('plants one for every rule', () => {
    expect([...new Set(PLANTED.map(([name]) => name))].sort()).toEqual(Object.keys(RULES).sort());
  });

  const pinned: PackageFile = {
    scripts: { check: 'tsc --noEmit' },
    dependencies: { react: '19.3.1' },
    devDependencies: { typescript: '7.0.2', '@types/react': '19.3.0' },
  };
  const uses = [src('web/ui/A.tsx', "import { memo } from 'react';")];

  it.each<[string, PackageFile, Source[]]>([
    ['a range', { ...pinned, dependencies: { react: '^19.3.1' } }, uses],
    ['a tag', { ...pinned, dependencies: { react: 'latest' } }, uses],
    ['an address', { ...pinned, dependencies: { react: 'github:facebook/react' } }, uses],
    ['a package that nothing imports', pinned, []],
    ['one whose name only begins like an import', pinned, [src('web/ui/A.tsx', "import { memo } from 'react-dom';")]],
    ['a program that nothing calls', { ...pinned, scripts: {} }, uses],
    [
      'types of a package that is not there',
      { ...pinned, devDependencies: { ...pinned.devDependencies, '@types/pg': '8.0.0' } },
      uses,
    ],
  ])('packages: %s', (_what, file, files) => {
    expect(findPackageFaults(pinned, uses)).toEqual([]);
    expect(findPackageFaults(file, files)).not.toEqual([]);
  });
});
