import { expect, it } from 'vitest';
import { readManifest } from './transferFile.ts';

const ID = '00000000-0000-4000-8000-00000000000A';
const MANIFEST = {
  kind: 'manifest',
  format: 'model-studio-project',
  version: 1,
  project_id: ID,
  name: 'Desk',
  rows: 3,
};
const read = (more: object) => readManifest(JSON.stringify({ ...MANIFEST, ...more }));

it('reads the first line, of later versions too', () => {
  expect(read({ exported_at: '2026', model_bytes: 5 })).toEqual({
    version: 1,
    exported_at: '2026',
    project_id: ID.toLowerCase(),
    name: 'Desk',
    rows: 3,
    model_bytes: 5,
  });
  expect(read({ version: 2, rows: 'many', model_bytes: -1 })).toMatchObject({ version: 2, rows: 0, model_bytes: 0 });
});

it.each([{ format: 'other' }, { version: 'x' }, { project_id: '..' }, { name: 5 }])('refuses %j', (more) => {
  expect(read(more)).toBeNull();
});

it('refuses what is no JSON or no object', () => {
  for (const line of ['', '{', '[]', 'null']) expect(readManifest(line)).toBeNull();
});
