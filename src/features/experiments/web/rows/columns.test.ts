import { describe, expect, it } from 'vitest';
import { toExtraParameters } from '#features/experiments/shared/extraParameters.ts';
import { HELD_OUT } from '#features/experiments/shared/heldOut.ts';
import { toSortKey } from './column.ts';
import { GROUPS, toColumns } from './columns.ts';
import { SEARCHED } from './rowFilter.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { toTestRow } from './rows.fixture.ts';

const column = (id: string, rows: readonly ExperimentRow[] = []) => toColumns(rows).find((entry) => entry.id === id)!;

const toExtras = (fields: Record<string, unknown>) =>
  new Map(toExtraParameters(fields).map((entry) => [entry.name, entry]));

describe('toColumns', () => {
  it('has one column for each validation measure, under the name that the compare uses', () => {
    const rows = [
      toTestRow('a', { held_out: { exact: 0.5, 'f1.macro': 1 } }),
      toTestRow('b', { held_out: { loss: 2 } }),
    ];
    const found = toColumns(rows).filter(({ id }) => id.startsWith(HELD_OUT));
    expect(found.map(({ id }) => id)).toEqual(['held_out.exact', String.raw`held_out.f1\.macro`, 'held_out.loss']);
    expect(found.map((entry) => entry.read(rows[0]!))).toEqual([0.5, 1, null]);
  });

  it('puts the main measure first, and the base model’s value beside it', () => {
    const rows = [
      toTestRow('a', {
        answer_shape: 'json',
        held_out: { id_copied: 1, exact_match: 0.5 },
        held_out_base: { exact_match: 0.1 },
      }),
    ];
    const found = toColumns(rows).filter(({ id }) => id.startsWith('held_out'));
    expect(found.map(({ id, better }) => [id, better])).toEqual([
      ['held_out.exact_match', 'higher'],
      ['held_out_base.exact_match', 'higher'],
      ['held_out.id_copied', 'higher'],
      ['held_out_rows', undefined],
    ]);
    expect(found[1]?.read(rows[0]!)).toBe(0.1);
  });

  it('takes a seed and a place in the queue as names: no axis, and no digits in groups', () => {
    const fields = toExtras({ seed: 857_889_783, queue_position: 1, rank: 8 });
    const rows = [toTestRow('a', { extras: fields })];
    const found = toColumns(rows).filter(({ id }) => fields.has(id));
    expect(found.map(({ id, kind, axis }) => [id, kind, axis ?? null])).toEqual([
      ['seed', 'id', null],
      ['queue_position', 'id', null],
      ['rank', 'count', 'middle'],
    ]);
    expect(found[0]?.read(rows[0]!)).toBe('857889783');
  });

  it('ignores inherited property names', () => {
    const rows = [
      toTestRow('a', { held_out: JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, number> }),
    ];
    const found = toColumns(rows).filter(({ id }) => id.startsWith(HELD_OUT));
    expect(found.map((entry) => entry.read(rows[0]!))).toEqual([1, 2]);
    expect(found.map((entry) => entry.read(toTestRow('b')))).toEqual([null, null]);
  });

  it('puts the results of a run right after its status, and has the number of validation rows', () => {
    const rows = [toTestRow('a', { held_out: { exact: 0.5 }, held_out_rows: 200 })];
    expect(
      toColumns(rows)
        .slice(4, 8)
        .map(({ id }) => id),
    ).toEqual(['status', 'last_loss', 'held_out.exact', 'training_type']);
    expect(column('held_out_rows', rows).read(rows[0]!)).toBe(200);
  });

  it('has one column for each further field of the jobs, of the kind that fits all its values', () => {
    const rows = [
      toTestRow('a', {
        extras: toExtras({
          eval_loss: 0.25,
          cost: 12,
          weight_decay: 0.1,
          kept: true,
          note: 'x'.repeat(90),
          label: 'mine',
          nothing: null,
          mixed: 1,
          optimizer: { name: 'adam' },
          'model_config.dtype': 'f',
          begun: '2026-11-28T14:02:10Z',
        }),
      }),
      toTestRow('b', { extras: toExtras({ eval_loss: 2, cost: 7, mixed: 'one' }) }),
    ];
    const found = toColumns(rows).filter(({ detail }) => detail === 'other');
    expect(found.map(({ id, label, kind }) => [id, label, kind])).toEqual([
      ['eval_loss', 'eval_loss', 'measure'],
      ['cost', 'cost', 'count'],
      ['weight_decay', 'Weight decay', 'rate'],
      ['kept', 'kept', 'category'],
      ['note', 'note', 'text'],
      ['+label', 'label', 'category'],
      ['mixed', 'mixed', 'category'],
      ['optimizer.name', 'optimizer.name', 'category'],
      [String.raw`model_config\.dtype`, 'model_config.dtype', 'category'],
      ['begun', 'begun', 'date'],
    ]);
    expect(rows.map((row) => found.map((entry) => entry.read(row)))).toEqual([
      [0.25, 12, 0.1, 'true', 'x'.repeat(90), 'mine', '1', 'adam', 'f', '2026-11-28T14:02:10Z'],
      [2, 7, null, null, null, null, 'one', null, null, null],
    ]);
    expect(found.every(({ source }) => source === 'job')).toBe(true);
  });

  it('has the time when a run ended, which a service gives as a further field, in one column', () => {
    const extra = { ended_at: '2026-11-28T14:02:10Z' };
    const rows = [toTestRow('a', { extra, extras: toExtras(extra) }), toTestRow('b')];
    const found = toColumns(rows).filter(({ id }) => id.includes('ended_at'));
    expect(found.map(({ label, read }) => [label, ...rows.map(read)])).toEqual([['Ended', extra.ended_at, null]]);
    const [early = '', late = ''] = ['2026-11-28T14:02:10+02:00', '2026-11-28T13:02:10Z'].map((ended_at) =>
      toSortKey(found[0]!, toTestRow('a', { extra: { ended_at } })),
    );
    expect(early < late).toBe(true);
  });

  it('gives every column its own id', () => {
    const ids = toColumns([toTestRow('a', { held_out: { steps: 1 } })]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('offers the columns to group by, in the order of the menu', () => {
  expect(GROUPS.map(({ label }) => label)).toEqual(['Base model', 'Status', 'Dataset', 'Job']);
});

it('names every column that the text filter searches', () => {
  expect(SEARCHED).toBe(
    'names, tags, datasets, status, training type, jobs, snapshots, base models, model ids, failures and ids',
  );
});
