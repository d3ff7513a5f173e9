// The rules hold for the real files. That each rule sees a violation is in `architecture.planted.test.ts`.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';
import {
  findLockFaults,
  findPackageFaults,
  importsOf,
  lineCount,
  roomGraph,
  RULES,
  type LockFile,
  type PackageFile,
} from './architecture.ts';
import { LAYERS } from './layers.ts';

// The tests of the rules hold every violation there is, in their own texts.
const sources = readSources().filter(({ path }) => !/^e2e\/tools\/house\/architecture\..*test\.ts$/.test(path));
const packageFile = JSON.parse(readFileSync('package.json', 'utf8')) as PackageFile;

describe('the project', () => {
  it.each(Object.entries(RULES))('keeps the rule: %s', (_name, rule) => expect(rule(sources)).toEqual([]));

  it('pins every package, and uses it', () => {
    expect(findPackageFaults(packageFile, sources)).toEqual([]);
  });

  it('has every room of the layer table, and the table every room', () => {
    expect([...roomGraph(sources).keys()].sort()).toEqual(Object.keys(LAYERS).sort());
  });

  it('lets a layer import only what stands before it in the table', () => {
    const order = Object.keys(LAYERS).slice(1);
    for (const [place, folder] of order.entries()) {
      for (const allowed of LAYERS[folder]!) expect(order.indexOf(allowed)).toBeLessThan(place);
    }
  });
});

it("has a lock file that holds every platform's packages", () => {
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
    const text =
      "import 'a';\nimport b from 'b';\nimport type { C } from 'c';\nimport {\n  d,\n} from 'd';\nexport * from " +
      "'e';\nconst f = import('f');\nconst g = \"from 'g'\";\n";
    expect(importsOf(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
