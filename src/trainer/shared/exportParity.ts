// Whether a model that was written to a file still answers as it did in the trainer. Pure.
import type { ExportParity } from '#core/contract/exportParity.ts';

/** Share of right answers that an export may lose. */
const MOST_LOST = 0.02;
/** Of the normal distribution: 95 % of it lie within so many deviations. */
const Z = 1.96;
/** Characters of texts that are kept of a difference, and of those before it. */
const SHOWN = 120;
const BEFORE = 20;

interface FormatAnswers {
  /** Such as `F16`, `Q8_0`, `adapter`. */
  readonly format: string;
  /** Whether it is the one that the studio serves. */
  readonly isServed: boolean;
  readonly answers: readonly string[];
}

interface AskedPrompts {
  readonly prompts: readonly string[];
  readonly expected: readonly string[];
  /** The trainer's own answers. */
  readonly answers: readonly string[];
}

type FormatParity = ExportParity['formats'][number];

/** Index of the first character that differs, which is never the second half of a pair. */
function findDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  const unit = one.codePointAt(at - 1) ?? 0;
  return unit > 0xffff ? at - 1 : at;
}

const cut = (text: string, at: number): string => text.slice(Math.max(0, at - BEFORE), at + SHOWN).toWellFormed();

/**
 * The loss of pairs: `worse` were right before and are not after, `better` the other way round. The interval is that of
 * Agresti and Min, which adds half a pair to each of the four cases, so that it holds for few pairs too.
 */
export function toLostInterval(
  worse: number,
  better: number,
  pairs: number,
): { readonly from: number; readonly to: number } {
  const all = pairs + 2;
  const difference = (worse - better) / all;
  const deviation = Math.sqrt(Math.max(0, (worse + better + 1) / all - difference ** 2) / all);
  return { from: difference - Z * deviation, to: difference + Z * deviation };
}

/** All lists have one entry for each prompt, and there is at least one prompt. */
export function compareExport(asked: AskedPrompts, formats: readonly FormatAnswers[]): ExportParity {
  const count = asked.prompts.length;
  const isRight = (answers: readonly string[], index: number): boolean => answers[index] === asked.expected[index];
  const indices = asked.prompts.map((_, index) => index);
  const share = (test: (index: number) => boolean): number => indices.filter(test).length / count;
  const exact_match = share((index) => isRight(asked.answers, index));
  return {
    prompts: count,
    exact_match,
    formats: formats.map(({ format, isServed, answers }): FormatParity => {
      const worse = indices.filter((index) => isRight(asked.answers, index) && !isRight(answers, index)).length;
      const better = indices.filter((index) => !isRight(asked.answers, index) && isRight(answers, index)).length;
      const lost = (worse - better) / count;
      const interval = toLostInterval(worse, better, count);
      const other = indices.find((index) => answers[index] !== asked.answers[index]);
      const [before, after] = [asked.answers[other ?? 0] ?? '', answers[other ?? 0] ?? ''];
      const at = findDifference(before, after);
      return {
        format,
        is_served: isServed,
        equal: share((index) => answers[index] === asked.answers[index]),
        exact_match: share((index) => isRight(answers, index)),
        lost,
        lost_from: interval.from,
        lost_to: interval.to,
        is_refused: lost > MOST_LOST + 1e-9 || interval.from > 0,
        first_difference:
          other === undefined
            ? null
            : {
                prompt: (asked.prompts[other] ?? '').slice(0, SHOWN).toWellFormed(),
                at,
                before: cut(before, at),
                after: cut(after, at),
              },
      };
    }),
  };
}
