import { describe, expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toCsv } from '#features/experiments/shared/csv.ts';
import { toCandidateCsv, toCandidateJson } from './candidateTable.ts';
import type { ExportInput } from './exportInput.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toTestInput } from './exportFormats.fixture.ts';

const REASON = 'Short rows, "JSON" answers.\nSee the rule.';
const candidate = (more: Partial<Candidate> = {}) =>
  toTestCandidate('k', {
    batch_size: 16,
    learning_rate_multiplier: 2.86e-4,
    recommended: true,
    reason_for_recommendation: REASON,
    ...more,
  });
const input = (...candidates: Candidate[]): ExportInput => toTestInput(candidates, { rate: { means: 'unknown' } });

describe('CSV', () => {
  it('has a header, one line per candidate, and quotes what needs it', () => {
    expect(toCandidateCsv(input(candidate()))).toBe(
      'base_model_id,training_type,n_epochs,batch_size,learning_rate_multiplier,recommended,origin,label,experiment_id,status,model_id,dataset,snapshot_id,reason_for_recommendation,failure\r\n' +
        'qwen3-0.6b,lora,3,16,0.000286,true,proposal,,,,,,snap,"Short rows, ""JSON"" answers.\nSee the rule.",\r\n',
    );
  });

  it('leaves a field empty that was not given', () => {
    const line = toCandidateCsv(
      input(candidate({ training_type: null, n_epochs: null, reason_for_recommendation: null })),
    ).split('\r\n')[1];
    expect(line).toBe('qwen3-0.6b,,,16,0.000286,true,proposal,,,,,,snap,,');
  });

  it('has a column for each further field of any candidate', () => {
    const loss = { name: 'last_loss', kind: 'number' as const, value: 0.25 };
    const label = { name: 'label', kind: 'text' as const, value: 'x' };
    const lines = toCandidateCsv(
      input(
        candidate({ reason_for_recommendation: null }),
        candidate({ reason_for_recommendation: null, extras: [loss, label] }),
      ),
    ).split('\r\n');
    expect(lines.map((line) => line.split(',').slice(-2).join())).toEqual(['last_loss,extra.label', ',', '0.25,x', '']);
  });

  it('never hands a spreadsheet a formula, but leaves numbers alone', () => {
    expect(toCsv([['=HYPERLINK("http://x")', '-1abc', '-1', '1e-5', '@SUM(A1)', '\tx', -1, 'a=b']])).toBe(
      `"'=HYPERLINK(""http://x"")",'-1abc,-1,1e-5,'@SUM(A1),'\tx,-1,a=b\r\n`,
    );
  });
});

it('names the experiment of a run, and the dataset wherever a run of the same snapshot tells it', () => {
  const run = candidate({ origin: 'run', experiment_id: 'e1', dataset: 'Tickets' });
  const rows = input(run, candidate(), candidate({ snapshot_id: 'other' }));
  const { candidates } = JSON.parse(toCandidateJson(rows)) as { candidates: Record<string, unknown>[] };
  const expected = [
    ['e1', 'Tickets', 'snap'],
    [null, 'Tickets', 'snap'],
    [null, null, 'other'],
  ];
  expect(candidates.map((entry) => [entry['experiment_id'], entry['dataset'], entry['snapshot_id']])).toEqual(expected);
  const lines = toCandidateCsv(rows).split('\r\n');
  expect(lines[1]).toContain(',run,,e1,,,Tickets,snap,');
  expect(lines[2]).toContain(',proposal,,,,,Tickets,snap,');
});

it('JSON holds all that is known, nulls included, and nothing of the dashboard’s own', () => {
  const loss = { name: 'last_loss', kind: 'number' as const, value: 0.25 };
  expect(JSON.parse(toCandidateJson(input(candidate({ n_epochs: null, extras: [loss] }))))).toEqual({
    snapshot_id: 'snap',
    candidates: [
      {
        base_model_id: 'qwen3-0.6b',
        training_type: 'lora',
        n_epochs: null,
        batch_size: 16,
        learning_rate_multiplier: 2.86e-4,
        recommended: true,
        origin: 'proposal',
        label: null,
        experiment_id: null,
        status: null,
        model_id: null,
        dataset: null,
        snapshot_id: 'snap',
        reason_for_recommendation: REASON,
        failure: null,
        extras: [{ name: 'last_loss', value: 0.25 }],
      },
    ],
  });
});
