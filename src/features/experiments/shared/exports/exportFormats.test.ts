import { describe, expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { CONFIGS, formatOf, toTestInput } from './exportFormats.fixture.ts';
import { EXPORT_FORMATS } from './exportFormats.ts';

const candidate = (more: Partial<Candidate> = {}) =>
  toTestCandidate('k', { batch_size: 16, recommended: true, reason_for_recommendation: 'Short rows.', ...more });
const input = (...candidates: Candidate[]) => toTestInput(candidates, { rate: { means: 'unknown' } });

describe('the formats', () => {
  it('are these, in the order of the menu', () => {
    expect(EXPORT_FORMATS.map(({ id, fileName, mediaType }) => [id, fileName, mediaType])).toEqual([
      ['create', 'finetuning-create.json', 'application/json'],
      ['curl', 'finetuning-create.sh', 'text/x-shellscript'],
      ['axolotl', 'axolotl.yaml', 'application/yaml'],
      ['llamafactory', 'llamafactory.yaml', 'application/yaml'],
      ['trl', 'trl.sh', 'text/x-shellscript'],
      ['unsloth', 'unsloth-sft.py', 'text/x-python'],
      ['csv', 'candidates.csv', 'text/csv'],
      ['json', 'candidates.json', 'application/json'],
    ]);
  });

  it('have ids, labels and file names of their own', () => {
    for (const field of ['id', 'label', 'fileName'] as const)
      expect(new Set(EXPORT_FORMATS.map((format) => format[field])).size).toBe(EXPORT_FORMATS.length);
  });

  it('survive ids made to break out', () => {
    const hostile = candidate({ base_model_id: '__proto__', reason_for_recommendation: '</script>"\u2028,\r\n' });
    for (const format of EXPORT_FORMATS) expect(format.toText(input(hostile))).toContain('__proto__');
    expect(Object.hasOwn(Object.prototype, 'base_model_id')).toBe(false);
  });

  it('say something about nothing rather than fail', () => {
    for (const format of EXPORT_FORMATS) {
      expect(format.toText(input())).toBeTypeOf('string');
      expect(format.findGap(input())).toBeNull();
    }
  });

  it('say how many were already run, and name them where they have comments', () => {
    const failed = candidate({ origin: 'run', label: 'First', status: 'failed', failure: 'EOF\nPAYLOAD', n_epochs: 1 });
    const twin = candidate({ origin: 'model', n_epochs: 1 });
    for (const format of EXPORT_FORMATS) {
      expect(format.findGap(input(candidate(), failed))).toMatch(/^1 of 2 did not finish\./);
      expect(format.findGap(input(candidate())) ?? '').not.toMatch(/already run|did not finish/);
    }
    for (const format of EXPORT_FORMATS.filter(({ kind }) => kind !== 'start'))
      expect(format.findGap(input(candidate(), twin, failed))).toMatch(/^2 of 3 did not finish\.(?! 1 dup)/);
    // These start each training once.
    for (const format of EXPORT_FORMATS.filter(({ kind }) => kind === 'start'))
      expect(format.findGap(input(candidate(), twin, failed))).toMatch(
        /^1 of 2 did not finish\. 1 duplicate was merged\./,
      );
    for (const { toText } of CONFIGS) {
      expect(toText(input(candidate(), twin, failed)).match(/^# did not finish.*$/gm)).toEqual([
        '# did not finish as First: failed: EOF PAYLOAD',
        '# did not finish: failed: EOF PAYLOAD',
      ]);
    }
    const [create, curl] = [formatOf('create'), formatOf('curl')];
    expect(create.toText(input(candidate(), failed))).not.toMatch(/already run|did not finish/);
    expect(curl.toText(input(candidate(), failed))).toContain(
      '\n# experiments[1] (First): did not finish: failed: EOF PAYLOAD\n',
    );
  });
});
