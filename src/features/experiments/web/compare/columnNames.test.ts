import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toColumnNames } from './columnNames.ts';
import { toCompareColumns, type CompareColumn, type ReadyColumn } from './compareColumns.ts';
import { findCompared } from './findCompared.ts';
import { toTestNode } from './project.fixture.ts';

const run = (id: string, more: Partial<Candidate> = {}, created: string | null = null): ReadyColumn => ({
  kind: 'ready',
  ref: `x:${id}`,
  series: 0,
  candidate: toTestCandidate(`x:${id}`, { origin: 'run', label: 'Same', location: 'Tickets › Round', ...more }),
  losses: [],
  measured: null,
  created,
  gap: null,
});
const toPlaced = (column: ReadyColumn, series: number): ReadyColumn => ({ ...column, series });
const traitsOf = (...columns: CompareColumn[]): readonly string[] => [...toColumnNames(columns).traits.values()];

it(
  'leaves unique names alone, names what has no candidate by its place, and tells runs of one name apart by their ' +
    'dates',
  () => {
    const created = (id: string) => ({ metadata: { created_at: `2025-11-2${id === 'a' ? 0 : 1}T10:00:00Z` } });
    const job = toTestNode(
      'finetuning-job',
      'j',
      'First round',
      ['a', 'b', 'c'].map((id) => toTestNode('experiment', id, id === 'c' ? 'Another' : 'Same', [], created(id))),
    );
    const found = findCompared(toTestNode('project', 'p', 'P', [job]), new Set(['a', 'b', 'c']), new Set());
    const answer = readJob({ id: 'j', experiments: [] });
    const data = answer.ok ? answer.value : undefined;
    const columns = toCompareColumns(['x:a', 'x:gone', 'x:c', 'x:b'], {
      found,
      records: new Map(),
      jobs: new Map([['j', { data, error: null, isMissing: false }]]),
      packing: new Map(),
      here: null,
    });
    const { names, traits } = toColumnNames(columns);
    expect([...names.values()]).toEqual([
      'Same · created 2025-11-20',
      'column 2',
      'Another',
      'Same · created 2025-11-21',
    ]);
    expect([...traits.keys()]).toEqual(['x:a', 'x:b']);
  },
);

describe('the place that all runs share is said once', () => {
  const advice: ReadyColumn = {
    ...run('m'),
    ref: 'r:s:m:1',
    candidate: toTestCandidate('r:s:m:1', { origin: 'model', place: null, location: 'Tickets › Snapshot 1' }),
  };
  const at = (id: string, location: string | null) => run(id, { label: `Run ${id}`, location });
  it.each<[string, readonly ReadyColumn[], string | null, readonly string[], readonly string[]]>([
    ['whole', [at('a', 'A › B'), at('b', 'A › B')], 'A › B', ['run', 'run'], ['Run a', 'Run b']],
    [
      'its beginning',
      [at('a', 'A › B'), at('b', 'A › C')],
      'A',
      ['run of B', 'run of C'],
      ['Run a · run of B', 'Run b · run of C'],
    ],
    [
      'nothing of places that begin differently',
      [at('a', 'A › B'), at('b', 'C › B')],
      null,
      ['run of A › B', 'run of C › B'],
      ['Run a · run of A › B', 'Run b · run of C › B'],
    ],
    [
      'nothing where one has no place',
      [at('a', 'A › B'), at('b', null)],
      null,
      ['run of A › B', 'run'],
      ['Run a · run of A › B', 'Run b'],
    ],
    [
      'nothing of one run beside advice, which keeps its own',
      [at('a', 'Tickets › B'), advice],
      null,
      ['run of Tickets › B', 'advised base model for Tickets › Snapshot 1'],
      ['Run a · run of Tickets › B', 'qwen3-0.6b · LoRA · Tickets › Snapshot 1'],
    ],
  ])('%s', (_what, columns, place, origins, names) => {
    const naming = toColumnNames(columns);
    expect(naming.place).toBe(place);
    expect([...naming.origins.values()]).toEqual(origins);
    expect([...naming.names.values()]).toEqual(names);
  });
});

describe('names of columns that look the same', () => {
  it.each<[string, readonly ReadyColumn[], readonly string[]]>([
    ['the base model', [run('a'), run('b', { base_model_id: 'other', n_epochs: 9 })], ['qwen3-0.6b', 'other']],
    ['the way of training', [run('a'), run('b', { training_type: 'full' })], ['LoRA', 'full']],
    [
      'the first parameter that differs',
      [run('a'), run('b', { batch_size: 16, learning_rate_multiplier: 1e-3 })],
      ['Batch 8', 'Batch 16'],
    ],
    [
      'a parameter beyond those of the API',
      [run('a'), run('b', { extras: [{ name: 'rank', kind: 'count', value: 8 }] })],
      ['rank not given', 'rank 8'],
    ],
    [
      'one that tells all rather than two',
      [
        run('a', { n_epochs: 1, batch_size: 1 }),
        run('b', { n_epochs: 1, batch_size: 2 }),
        run('c', { n_epochs: 2, batch_size: 4 }),
      ],
      ['Batch 1', 'Batch 2', 'Batch 4'],
    ],
    [
      'two where one is not enough',
      [run('a'), run('b', { training_type: 'full' }), run('c', { n_epochs: 9 })],
      ['LoRA, Epochs 3', 'LoRA, Epochs 9', 'full'],
    ],
    ['the number in the job', [run('a', { place: 1 }), run('b', { place: 2 })], ['#1', '#2']],
    [
      'the minute',
      [run('a', {}, '2025-11-20T10:00:00Z'), run('b', {}, '2025-11-20T10:05:00Z')],
      ['created 2025-11-20 10:00 UTC', 'created 2025-11-20 10:05 UTC'],
    ],
    [
      'the id, never a result',
      [run('a', { extras: [{ name: 'last_loss', kind: 'number', value: 1, isResult: true }] }), run('b')],
      ['id a', 'id b'],
    ],
    [
      'the whole id where short ones are the same',
      [run('0123-4567-89-abcd'), run('0123-4567-77-abcd')],
      ['id 0123-4567-89-abcd', 'id 0123-4567-77-abcd'],
    ],
  ])('%s', (_what, columns, expected) =>
    expect([...traitsOf(...columns)].toSorted()).toEqual([...expected].toSorted()),
  );

  it('tell long names with the same beginning apart', () => {
    const long = (id: string, n_epochs: number) =>
      run(id, { label: `${'a very long name '.repeat(12)}${id}`, n_epochs });
    const { names, traits } = toColumnNames([long('a', 1), long('b', 2)]);
    expect([...traits.values()]).toEqual(['Epochs 1', 'Epochs 2']);
    expect(names.get('x:b')).toBe('a very long name a very long name a … · Epochs 2');
  });

  it('have the place of a column if nothing else tells it apart', () => {
    const advice = (ref: string, series: number): ReadyColumn => ({
      ...run('a'),
      ref,
      series,
      candidate: toTestCandidate(ref, { origin: 'model', place: null }),
    });
    expect([...toColumnNames([advice('r:s:m:1', 0), advice('r:s:m:2', 1)]).names.values()]).toEqual([
      'qwen3-0.6b · LoRA · column 1',
      'qwen3-0.6b · LoRA · column 2',
    ]);
  });

  it('have the place if a run’s own name equals the extended name of another', () => {
    const columns = [run('a'), run('b', { training_type: 'full' }), run('c', { label: 'Same · LoRA' })];
    const { names, traits } = toColumnNames(columns.map(toPlaced));
    expect([...names.values()]).toEqual(['Same · LoRA · column 1', 'Same · full · column 2', 'Same · LoRA · column 3']);
    expect([...traits.values()]).toEqual(['LoRA, column 1', 'full, column 2', 'column 3']);
  });

  it('are always unique', () => {
    const few = fc.integer({ min: 1, max: 2 });
    const label = fc.constantFrom('Same', 'Same · LoRA', 'Same · full', 'Same · LoRA · column 1');
    const training_type = fc.constantFrom('lora', 'full');
    fc.assert(
      fc.property(
        fc.array(fc.record({ label, training_type, n_epochs: few, batch_size: few, place: few }), { maxLength: 8 }),
        (all) => {
          const { names } = toColumnNames(all.map((more, at) => toPlaced(run(`id-${at}-of-a-run`, more), at)));
          expect(new Set(names.values()).size).toBe(all.length);
        },
      ),
    );
  });
});
