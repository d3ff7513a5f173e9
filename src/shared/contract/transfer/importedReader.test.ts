import { expect, it } from 'vitest';
import { readExisting, readImported } from './importedReader.ts';
import { projectImportedSchema } from './transfer.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const IMPORTED = {
  project_id: ID,
  name: 'Desk',
  counts: { datasets: 1, rows: 3, snapshots: 1, jobs: 1, experiments: 2, notes: 0 },
  models: [
    { id: 'ft-a', state: 'ready', reason: null },
    { id: 'ft-b', state: 'missing', reason: 'Its file is not here.' },
  ],
};

it('reads what the service sends', () => {
  expect(readImported(projectImportedSchema.parse(IMPORTED))).toEqual({
    ok: true,
    value: { id: ID, name: 'Desk', rows: 3, runs: 2, missing: [{ id: 'ft-b', reason: 'Its file is not here.' }] },
  });
});

it.each([null, {}, { project_id: 'x' }, []])('reads no project of %j', (body) => {
  expect(readImported(body)).toMatchObject({ ok: false });
});

it('reads which project is here already', () => {
  expect(readExisting({ error: {}, project: { id: ID, name: 'Desk' } })).toEqual({ id: ID, name: 'Desk' });
  for (const body of [null, {}, { project: null }, { project: { id: 'x' } }]) expect(readExisting(body)).toBeNull();
});
