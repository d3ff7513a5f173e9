import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readProjectFile } from './projectFile.ts';

const FIRST = JSON.stringify({
  kind: 'manifest',
  format: 'model-studio-project',
  version: 1,
  exported_at: '2026-11-23T10:00:00.000Z',
  project_id: '00000000-0000-4000-8000-000000000001',
  name: 'Désk',
  rows: 3,
  model_bytes: 0,
});
const text = `${FIRST}\n${'{"kind":"rows"}\n'.repeat(100)}`;
const random = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));

it.each([
  ['packed', new Blob([gzipSync(text)])],
  ['packed and long', new Blob([gzipSync(Buffer.concat([Buffer.from(text), random]), { level: 0 })])],
  ['unpacked', new Blob([text])],
])('reads the first line of one that is %s', async (_name, file) => {
  expect(await readProjectFile(file)).toMatchObject({ name: 'Désk', rows: 3 });
});

it.each([
  ['rows', new Blob(['{"messages":[]}\n'])],
  ['nothing', new Blob([])],
  ['another packed file', new Blob([gzipSync('{"messages":[]}\n')])],
])('takes %s for no project', async (_name, file) => {
  expect(await readProjectFile(file)).toBeNull();
});
