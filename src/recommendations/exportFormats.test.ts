import { describe, expect, it } from 'vitest';
import type { Candidate } from './candidates';
import { toCsv } from './csv';
import { EXPORT_FORMATS, toCandidateCsv, toCandidateJson, toCreatePayload } from './exportFormats';

const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  key: 'k',
  origin: 'experiment',
  place: 1,
  repeat: 1,
  base_model_id: 'qwen3-0.6b',
  training_type: 'lora',
  n_epochs: 3,
  batch_size: 16,
  learning_rate_multiplier: 2.86e-4,
  recommended: true,
  reason_for_recommendation: 'Short rows, "JSON" answers.\nSee the rule.',
  ...more,
});
const input = (...candidates: Candidate[]) => ({ snapshot_id: 'snap', name: 'First round', candidates });

describe('create payload', () => {
  it('is the experiments without `recommended` and the reason, under the snapshot’s id', () => {
    expect(JSON.parse(toCreatePayload(input(candidate(), candidate({ training_type: 'full' }))))).toEqual({
      snapshot_id: 'snap',
      name: 'First round',
      experiments: [
        { base_model_id: 'qwen3-0.6b', batch_size: 16, learning_rate_multiplier: 2.86e-4, n_epochs: 3, lora: true },
        { base_model_id: 'qwen3-0.6b', batch_size: 16, learning_rate_multiplier: 2.86e-4, n_epochs: 3, lora: false },
      ],
    });
  });

  it('names other ways of training by training_type, and says nothing where the service said nothing', () => {
    const { experiments } = JSON.parse(toCreatePayload(input(candidate({ training_type: 'qlora' }), candidate({ training_type: null })))) as {
      experiments: object[];
    };
    expect(experiments[0]).toMatchObject({ training_type: 'qlora' });
    expect(experiments[0]).not.toHaveProperty('lora');
    expect(experiments[1]).not.toHaveProperty('lora');
    expect(experiments[1]).not.toHaveProperty('training_type');
  });

  it('leaves out what was not given and says what to fill in', () => {
    const gappy = input(candidate(), candidate({ base_model_id: 'b', n_epochs: null, training_type: null }));
    const { experiments } = JSON.parse(toCreatePayload(gappy)) as { experiments: object[] };
    expect(experiments[1]).toEqual({ base_model_id: 'b', batch_size: 16, learning_rate_multiplier: 2.86e-4 });
    const create = EXPORT_FORMATS.find((format) => format.id === 'create');
    expect(create?.findGap(gappy)).toContain('experiments[1] (b): n_epochs, lora');
    expect(create?.findGap(input(candidate()))).toBeNull();
  });

  it('keeps every digit of a rate', () => {
    const rate = 0.1 + 0.2;
    const { experiments } = JSON.parse(toCreatePayload(input(candidate({ learning_rate_multiplier: rate })))) as {
      experiments: { learning_rate_multiplier: number }[];
    };
    expect(experiments[0]?.learning_rate_multiplier).toBe(rate);
  });
});

describe('CSV', () => {
  it('has a header, one line per candidate, and quotes what needs it', () => {
    expect(toCandidateCsv(input(candidate()))).toBe(
      'base_model_id,training_type,n_epochs,batch_size,learning_rate_multiplier,recommended,origin,reason_for_recommendation\r\n' +
        'qwen3-0.6b,lora,3,16,0.000286,true,experiment,"Short rows, ""JSON"" answers.\nSee the rule."\r\n',
    );
  });

  it('leaves a field empty that was not given', () => {
    const line = toCandidateCsv(input(candidate({ training_type: null, n_epochs: null, reason_for_recommendation: null }))).split('\r\n')[1];
    expect(line).toBe('qwen3-0.6b,,,16,0.000286,true,experiment,');
  });

  it('never hands a spreadsheet a formula, but leaves negative numbers alone', () => {
    expect(toCsv([['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\tx', -1, 'a=b']])).toBe(
      `"'=HYPERLINK(""http://x"")",'+1,'-1,'@SUM(A1),'\tx,-1,a=b\r\n`,
    );
  });
});

it('JSON holds all that is known, nulls included, and nothing of the dashboard’s own', () => {
  expect(JSON.parse(toCandidateJson(input(candidate({ n_epochs: null }))))).toEqual({
    snapshot_id: 'snap',
    candidates: [
      {
        base_model_id: 'qwen3-0.6b',
        training_type: 'lora',
        n_epochs: null,
        batch_size: 16,
        learning_rate_multiplier: 2.86e-4,
        recommended: true,
        origin: 'experiment',
        reason_for_recommendation: 'Short rows, "JSON" answers.\nSee the rule.',
      },
    ],
  });
});

it('survives ids made to break out', () => {
  const hostile = candidate({ base_model_id: '__proto__', reason_for_recommendation: '</script>"\u2028,\r\n' });
  for (const format of EXPORT_FORMATS) expect(format.toText(input(hostile))).toContain('__proto__');
  expect(Object.hasOwn(Object.prototype, 'base_model_id')).toBe(false);
});
