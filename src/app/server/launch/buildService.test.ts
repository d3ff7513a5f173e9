// When the service of a checkout is built anew. process.test.ts starts what is built.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { keepFolder } from '#service/files/keep.fixture.ts';

// Plain JavaScript, because launch.mjs runs without a loader.
const { toFolder } = (await import(new URL('./findService.mjs', import.meta.url).href)) as {
  readonly toFolder: (root: string) => string;
};

let root = '';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = keepFolder();
  write('package-lock.json', '{}');
  write('src/service/database/migrations/0001_initial.sql', 'create table one ()');
  write('src/app/server/launch/main.ts', 'main');
  write('src/core/contract/job.ts', 'job');
});

it.each([
  ['a change', 'src/app/server/launch/main.ts'],
  ['a new file', 'src/features/runs/server/runs.ts'],
  ['a schema', 'src/core/contract/job.ts'],
  ['a migration', 'src/service/database/migrations/0002_more.sql'],
  ['other packages', 'package-lock.json'],
])('the service is built anew for %s', (_what, path) => {
  const before = toFolder(root);
  write(path, 'other');
  expect(toFolder(root)).not.toBe(before);
});

it.each([
  'src/features/runs/server/runs.test.ts',
  'src/features/runs/server/fake.fixture.ts',
  'src/app/web/App.tsx',
  'README.md',
])('the service is not built anew for %s', (path) => {
  const before = toFolder(root);
  write(path, 'other');
  expect(toFolder(root)).toBe(before);
});
