import { describe, expect, it } from 'vitest';
import { importFieldsSchema, importPreviewSchema, NAMED_CHANGES, projectImportedSchema } from './transfer.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const COUNTS = { datasets: 1, rows: 3, snapshots: 1, jobs: 1, experiments: 2, notes: 0 };
const IMPORTED = {
  project_id: ID,
  name: 'Desk',
  counts: COUNTS,
  models: [{ id: 'ft-a', state: 'ready', reason: null, bytes: 0 }],
  changes: [
    {
      kind: 'run_ended',
      reason: 'It was running.',
      count: 1,
      named: [{ of: 'Run 1', from: 'running', to: 'stopped' }],
    },
  ],
};
const [CHANGE] = IMPORTED.changes;

describe('the form', () => {
  it.each([{}, { ids: 'keep' }, { ids: 'new', models: 'include' }, { models: 'leave', seed: ID }])(
    'may be %j',
    (form) => {
      expect(importFieldsSchema.parse(form)).toEqual(form);
    },
  );

  it.each([{ ids: 'other' }, { ids: '' }, { models: true }, { models: 'all' }, { project_id: ID }, { seed: 'x' }])(
    'may not be %j',
    (form) => {
      expect(importFieldsSchema.safeParse(form).success).toBe(false);
    },
  );
});

describe('the answer', () => {
  it('has the project, what was counted, and the state of each model', () => {
    expect(projectImportedSchema.parse(IMPORTED)).toEqual(IMPORTED);
  });

  it.each([
    { ...IMPORTED, project_id: 'x' },
    { ...IMPORTED, counts: { ...COUNTS, rows: -1 } },
    { ...IMPORTED, counts: { ...COUNTS, secrets: 1 } },
    { ...IMPORTED, models: [{ id: 'ft-a', state: 'lost', reason: null, bytes: 0 }] },
    { ...IMPORTED, token: 'secret' },
    { ...IMPORTED, seed: ID },
    { ...IMPORTED, changes: [{ ...CHANGE, kind: 'other' }] },
    { ...IMPORTED, changes: [{ ...CHANGE, named: Array.from({ length: NAMED_CHANGES + 1 }, () => CHANGE?.named[0]) }] },
  ])('is nothing else: %j', (answer) => {
    expect(projectImportedSchema.safeParse(answer).success).toBe(false);
  });

  it('of a preview is the same, with a seed', () => {
    expect(importPreviewSchema.parse({ ...IMPORTED, seed: ID })).toEqual({ ...IMPORTED, seed: ID });
    expect(importPreviewSchema.safeParse(IMPORTED).success).toBe(false);
  });
});
