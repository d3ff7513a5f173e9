import { describe, expect, it } from 'vitest';
import { toBestWords, toDatasetResults } from './datasetResults.ts';
import { toTestRow } from './rows.fixture.ts';

describe('toDatasetResults', () => {
  it('finds the best run of each dataset by its own main measure', () => {
    const results = toDatasetResults([
      toTestRow('lora', { answer_shape: 'json', held_out: { exact_match: 0.9 }, held_out_base: { exact_match: 0.1 } }),
      toTestRow('full', {
        answer_shape: 'json',
        held_out: { exact_match: 0.95 },
        held_out_base: { exact_match: 0.1 },
        held_out_rows: 200,
      }),
      toTestRow('failed', { answer_shape: 'json', status: 'failed', held_out: { exact_match: 1 } }),
      toTestRow('reply', {
        dataset_id: 'r',
        dataset: 'Replies',
        answer_shape: 'text',
        held_out: { exact_match: 0.5, validation_loss: 0.57 },
      }),
      toTestRow('better reply', {
        dataset_id: 'r',
        dataset: 'Replies',
        answer_shape: 'text',
        held_out: { exact_match: 0, validation_loss: 0.07 },
      }),
    ]);
    expect(results.map(({ dataset, main, best, value, base }) => [dataset, main?.name, best?.id, value, base])).toEqual(
      [
        ['Dataset', 'exact_match', 'full', 0.95, 0.1],
        ['Replies', 'validation_loss', 'better reply', 0.07, null],
      ],
    );
    expect(results.map((result) => result.isSaturated)).toEqual([false, false]);
  });

  it('marks the best run where there is another to compare with', () => {
    const measured = (id: string, exact_match: number) =>
      toTestRow(id, { answer_shape: 'json', held_out: { exact_match } });
    expect([...toBestWords(toDatasetResults([measured('a', 0.5), measured('b', 0.9)]))]).toEqual([
      ['b', 'Best of Dataset by exact match'],
    ]);
    expect(toBestWords(toDatasetResults([measured('a', 0.5), toTestRow('b')])).size).toBe(0);
  });

  it('compares runs of one snapshot: others have other validation rows', () => {
    const measured = (id: string, snapshot_id: string, exact_match: number) =>
      toTestRow(id, { snapshot_id, answer_shape: 'json', held_out: { exact_match }, held_out_rows: 200 });
    const [result] = toDatasetResults([measured('a', 's1', 1), measured('b', 's2', 0.6), measured('c', 's2', 0.7)]);
    expect(result).toMatchObject({ best: { id: 'c' }, isSaturated: false });
  });

  it('compares runs without recorded data only within their job: others may have other data', () => {
    const measured = (id: string, job: string, validation_loss: number) =>
      toTestRow(id, {
        dataset_id: null,
        dataset: 'data not recorded',
        job_id: job,
        job,
        held_out: { validation_loss },
      });
    const results = toDatasetResults([measured('a', 'j1', 2), measured('b', 'j1', 1), measured('c', 'j2', 0.5)]);
    expect(results.map(({ job, best }) => [job?.label, best?.id])).toEqual([
      ['j1', 'b'],
      ['j2', 'c'],
    ]);
    expect([...toBestWords(results)]).toEqual([['b', 'Best of j1 by validation loss']]);
  });

  it('says when nothing is left to win', () => {
    const [result] = toDatasetResults([
      toTestRow('a', { answer_shape: 'fixed-set', held_out: { exact_match: 0.995 }, held_out_rows: 200 }),
    ]);
    expect(result?.isSaturated).toBe(true);
  });

  it('takes the measure that a person chose', () => {
    const [result] = toDatasetResults([
      toTestRow('a', { main_measure: 'bleu', answer_shape: 'text', held_out: { bleu: 0.3, validation_loss: 0.1 } }),
      toTestRow('b', { main_measure: 'bleu', answer_shape: 'text', held_out: { bleu: 0.2, validation_loss: 0.05 } }),
    ]);
    expect(result).toMatchObject({ isChosen: true, best: { id: 'a' }, value: 0.3 });
  });

  it('has no best run where nothing can decide', () => {
    const [result] = toDatasetResults([toTestRow('a', { answer_shape: 'text', held_out: { exact_match: 0.3 } })]);
    expect(result).toMatchObject({ main: null, best: null, value: null, isSaturated: false });
  });
});
