import { describe, expect, it } from 'vitest';
import { compareExport, toLostInterval } from './exportParity.ts';

const count = 50;
const list = (text: (index: number) => string): readonly string[] => Array.from({ length: count }, (_, i) => text(i));
const prompts = list((index) => `prompt ${index}`);
const right = list((index) => `answer ${index}`);
/** The first `wrong` answers are not the expected ones. */
const withWrong = (wrong: number): readonly string[] => right.map((text, index) => (index < wrong ? `${text}!` : text));

const compare = (before: readonly string[], after: readonly string[]) =>
  compareExport({ prompts, expected: right, answers: before }, [{ format: 'F16', isServed: true, answers: after }])
    .formats[0]!;

describe('an export', () => {
  it('with the same answers lost nothing, right or wrong', () => {
    for (const wrong of [0, 20, count])
      expect(compare(withWrong(wrong), withWrong(wrong))).toMatchObject({
        equal: 1,
        exact_match: 1 - wrong / count,
        lost: 0,
        is_refused: false,
        first_difference: null,
      });
  });

  it('may lose one answer of fifty, and is refused from two on', () => {
    expect(compare(right, withWrong(1))).toMatchObject({ equal: 0.98, lost: 0.02, is_refused: false });
    expect(compare(right, withWrong(2))).toMatchObject({ equal: 0.96, lost: 0.04, is_refused: true });
  });

  it('that gained is not refused', () => {
    expect(compare(withWrong(10), right)).toMatchObject({ lost: -0.2, is_refused: false, equal: 0.8 });
  });

  it('says where the first other answer differs', () => {
    const after = right.map((text, index) => (index === 7 ? 'answer of another kind' : text));
    expect(compare(right, after).first_difference).toEqual({
      prompt: 'prompt 7',
      at: 7,
      before: 'answer 7',
      after: 'answer of another kind',
    });
  });

  it('is never cut inside a character', () => {
    const asked = { prompts: ['p'], expected: ['x'], answers: ['a😀'] };
    const { formats } = compareExport(asked, [{ format: 'Q8_0', isServed: false, answers: ['a😁'] }]);
    expect(formats[0]?.first_difference).toMatchObject({ at: 1, before: 'a😀', after: 'a😁' });
    expect(formats[0]?.first_difference?.before.isWellFormed()).toBe(true);
  });
});

describe('the interval of what was lost', () => {
  it('has the loss in it, is wider for fewer pairs, and turns with the sign', () => {
    for (const [worse, better] of [
      [0, 0],
      [3, 1],
      [10, 0],
    ] as const) {
      const few = toLostInterval(worse, better, 50);
      const many = toLostInterval(worse * 10, better * 10, 500);
      expect(few.from).toBeLessThan((worse - better) / 50);
      expect(few.to).toBeGreaterThan((worse - better) / 50);
      expect(many.to - many.from).toBeLessThan(few.to - few.from);
      const turned = toLostInterval(better, worse, 50);
      expect(turned.from).toBeCloseTo(-few.to, 12);
    }
    expect(toLostInterval(10, 0, 50).from).toBeGreaterThan(0);
  });
});
