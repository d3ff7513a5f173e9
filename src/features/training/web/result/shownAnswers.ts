// Answers to validation rows that a trainer shows as they change: the worst ones, and those that became better. Pure.
import type { ValidationPoint } from '#features/training/shared/trainingRecords.ts';

export interface ShownAnswer {
  /** In the trainer's list of this step. */
  readonly place: number;
  readonly prompt: string;
  readonly expected: string;
  readonly answer: string;
  /** null: the trainer does not say. */
  readonly isRight: boolean | null;
  /** The answer to the same prompt when it was last shown before; null: it was not. */
  readonly before: { readonly step: number; readonly answer: string; readonly isRight: boolean | null } | null;
}

export interface ShownAnswers {
  readonly step: number;
  readonly wrong: readonly ShownAnswer[];
  /** Right ones, and those of which nothing is said. */
  readonly right: readonly ShownAnswer[];
}

/** The steps that have answers to show, the first one first. */
export const toAnsweredSteps = (validations: readonly ValidationPoint[]): readonly number[] =>
  validations.filter(({ answers }) => answers.length > 0).map(({ step }) => step);

/** The answers of a step, in the trainer's order; null: that step has none. */
export function toShownAnswers(validations: readonly ValidationPoint[], step: number): ShownAnswers | null {
  const at = validations.findIndex((each) => each.step === step);
  const answers = validations[at]?.answers ?? [];
  if (answers.length === 0) return null;
  const earlier = validations.slice(0, at).toReversed();
  const shown = answers.map(({ prompt, expected, answer, is_right: isRight }, place): ShownAnswer => {
    const isSame = (other: { prompt: string; expected: string }): boolean =>
      other.prompt === prompt && other.expected === expected;
    const last = earlier.find((each) => each.answers.some(isSame));
    const old = last?.answers.find(isSame);
    const before = last && old ? { step: last.step, answer: old.answer, isRight: old.is_right } : null;
    return { place, prompt, expected, answer, isRight, before };
  });
  const isWrong = ({ isRight }: ShownAnswer): boolean => isRight === false;
  return { step, wrong: shown.filter(isWrong), right: shown.filter((each) => !isWrong(each)) };
}
