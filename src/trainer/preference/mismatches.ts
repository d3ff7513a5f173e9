// Prompts with answers that belong to others: KTO estimates by them how far the model has moved.
import type { TokenRow } from '#trainer/model/batch.ts';

/** The prompt of one row with the answer of another one, cut to the longest row; null: no answer is left. */
function toMismatch(one: TokenRow, other: TokenRow, maxRow: number): TokenRow | null {
  const [prompt, answer] = [one.isTarget.indexOf(1), other.isTarget.indexOf(1)];
  const join = <Numbers extends Int32Array | Uint8Array>(from: Numbers, to: Numbers): number[] =>
    [...from.subarray(0, prompt), ...to.subarray(answer)].slice(0, maxRow + 1);
  const isTarget = Uint8Array.from(join(one.isTarget, other.isTarget));
  return isTarget.subarray(1).includes(1)
    ? { tokens: Int32Array.from(join(one.tokens, other.tokens)), isTarget }
    : null;
}

/** Each prompt of a batch with the answer of the row before it, as TRL pairs them; a single row has none. */
export const toMismatches = (rows: readonly TokenRow[], maxRow: number): readonly TokenRow[] =>
  rows.length < 2 ? [] : rows.flatMap((row, at) => toMismatch(row, rows.at(at - 1) ?? row, maxRow) ?? []);
