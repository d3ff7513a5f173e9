import { expect, it } from 'vitest';
import { readExisting, readImported } from './importedReader.ts';
import { importPreviewSchema, projectImportedSchema } from './transfer.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const IMPORTED = {
  project_id: ID,
  name: 'Desk',
  counts: { datasets: 1, rows: 3, snapshots: 1, jobs: 1, experiments: 2, notes: 0 },
  models: [
    { id: 'ft-a', state: 'ready', reason: null, bytes: 5 },
    { id: 'ft-b', state: 'missing', reason: 'Its file is not here.', bytes: 0 },
  ],
  changes: [
    { kind: 'alias_dropped', reason: 'Why.', count: 70, named: [{ of: 'ft-a', from: 'a', to: null }] },
    { kind: 'model_renamed', reason: 'Why.', count: 1, named: [{ of: null, from: 'a', to: 'ft-a' }] },
  ],
};

it('reads what the service sends', () => {
  expect(readImported(projectImportedSchema.parse(IMPORTED))).toEqual({
    ok: true,
    value: {
      id: ID,
      name: 'Desk',
      rows: 3,
      runs: 2,
      ready: 1,
      bytes: 5,
      missing: [{ id: 'ft-b', reason: 'Its file is not here.' }],
      changes: IMPORTED.changes,
      seed: null,
    },
  });
  const preview = importPreviewSchema.parse({ ...IMPORTED, seed: ID });
  expect(readImported(preview)).toMatchObject({ ok: true, value: { seed: ID } });
});

it('reads changes of kinds that it does not know, and none of what is no change', () => {
  const changes = [{ kind: 'later', reason: 'Why.', named: [{ from: 'a' }, 5] }, null, 'x'];
  expect(readImported({ ...IMPORTED, changes })).toMatchObject({
    value: { changes: [{ kind: null, reason: 'Why.', count: 1, named: [{ of: null, from: 'a', to: null }] }] },
  });
});

it.each([null, {}, { project_id: 'x' }, []])('reads no project of %j', (body) => {
  expect(readImported(body)).toMatchObject({ ok: false });
});

it('reads which project is here already', () => {
  expect(readExisting({ error: {}, project: { id: ID, name: 'Desk' } })).toEqual({ id: ID, name: 'Desk' });
  for (const body of [null, {}, { project: null }, { project: { id: 'x' } }]) expect(readExisting(body)).toBeNull();
});
