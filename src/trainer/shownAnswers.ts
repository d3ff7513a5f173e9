// A few answers to validation rows that a person looks at while a run goes on: those that changed for the better, and the worst.
import type { TrainerEventOf } from '#trainer/protocol/trainerProtocol.ts';
import type { ReadRow } from '#trainer/text/readRows.ts';
import type { Tokenizer } from '#trainer/text/tokenizer.ts';
import type { Crew } from '#trainer/threads/crew.ts';
import { answerGreedily, type GreedyPrompt } from '#trainer/training/greedy.ts';
import type { HeldOutResult } from '#trainer/training/training.ts';

type ShownAnswer = NonNullable<TrainerEventOf<'validation'>['answers']>[number];

/** Answers of each kind. */
const EACH = 5;
/** Characters of a text that are shown. */
const MAX_TEXT = 1000;
/** Tokens of an answer, and of all passes for them: some seconds of work. */
const MOST = 128;
const BUDGET = 20_000;

/**
 * The rows to show: first the wrong ones with the highest loss, then those whose loss fell most since `before`, those
 * that became right first. No row is in it twice.
 */
export function pickShown(
  now: Pick<HeldOutResult, 'isRight' | 'losses'>,
  before: Pick<HeldOutResult, 'isRight' | 'losses'> | null,
): readonly number[] {
  const rows = [...now.losses.keys()];
  const lossOf = (row: number): number => now.losses[row] ?? 0;
  const worst = rows
    .filter((row) => now.isRight[row] !== true)
    .toSorted((one, other) => lossOf(other) - lossOf(one))
    .slice(0, EACH);
  if (before === null) return worst;
  const gain = (row: number): number => (before.losses[row] ?? 0) - lossOf(row);
  const became = (row: number): number => (now.isRight[row] === true && before.isRight[row] !== true ? 1 : 0);
  const changed = rows
    .filter((row) => gain(row) > 0 && !worst.includes(row))
    .toSorted((one, other) => became(other) - became(one) || gain(other) - gain(one))
    .slice(0, EACH);
  return [...worst, ...changed];
}

/** The last answer of a row as a prompt; its own tokens are the draft. */
function toPrompt({ tokens, isTarget }: ReadRow, maxRow: number): GreedyPrompt {
  const last = isTarget.lastIndexOf(1);
  const from = isTarget.lastIndexOf(0, last) + 1;
  return {
    prompt: [...tokens.subarray(0, from)],
    draft: [...tokens.subarray(from, last + 1)],
    most: Math.max(1, Math.min(MOST, maxRow - from - 1)),
  };
}

interface AnswerSource {
  readonly crew: Crew;
  readonly tokenizer: Tokenizer;
  readonly maxRow: number;
  readonly maxTokens: number;
  readonly pause: () => Promise<void>;
}

/** The answers of these rows now. A row whose answer takes too long is left out. */
export async function answerRows(
  { crew, tokenizer, maxRow, maxTokens, pause }: AnswerSource,
  rows: readonly ReadRow[],
): Promise<ShownAnswer[]> {
  const prompts = rows.map((row) => toPrompt(row, maxRow));
  const found = await answerGreedily(crew, prompts, { end: tokenizer.end, maxTokens, budget: BUDGET, pause });
  return rows.flatMap(({ prompt, expected }, index) => {
    const tokens = found[index];
    if (tokens == null) return [];
    const answer = tokenizer.decode(tokens);
    const [shownPrompt, shownExpected, shownAnswer] = [prompt, expected, answer].map((text) =>
      text.slice(0, MAX_TEXT).toWellFormed(),
    ) as [string, string, string];
    return [{ prompt: shownPrompt, expected: shownExpected, answer: shownAnswer, is_right: answer === expected }];
  });
}
