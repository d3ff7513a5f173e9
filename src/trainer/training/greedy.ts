// Greedy answers. A draft is checked in one pass: all of its tokens up to the first that is not the likeliest stand, and
// what the model finds likeliest after it is the next draft. So a good draft costs one pass, and a bad one never more
// than one a token.
import { toBatch, type TokenRow } from '#trainer/model/batch.ts';
import type { Crew } from '#trainer/threads/crew.ts';
import { toPasses, toRounds } from './packing.ts';

export interface GreedyPrompt {
  readonly prompt: readonly number[];
  /** What the answer may be. It changes the work, never the answer. */
  readonly draft: readonly number[];
  /** Tokens of the answer at most, so that the whole row fits into the model. */
  readonly most: number;
}

interface GreedyOptions {
  /** The token that ends an answer. */
  readonly end: number;
  /** Tokens of one pass. */
  readonly maxTokens: number;
  /** Tokens of all passes, beyond which answers are left open. */
  readonly budget?: number;
  readonly pause: () => Promise<void>;
}

interface Open {
  readonly index: number;
  readonly prompt: readonly number[];
  readonly most: number;
  draft: readonly number[];
}

/** A row that asks for each token of the draft and the one after it. */
function toRow({ prompt, draft }: Open): TokenRow {
  const tokens = Int32Array.from([...prompt, ...draft, 0]);
  return { tokens, isTarget: Uint8Array.from(tokens, (_, at) => (at >= prompt.length ? 1 : 0)) };
}

/** The tokens of each answer without its end; null: the budget was used up before it was there. */
export async function answerGreedily(
  crew: Crew,
  prompts: readonly GreedyPrompt[],
  { end, maxTokens, budget = Number.POSITIVE_INFINITY, pause }: GreedyOptions,
): Promise<readonly (readonly number[] | null)[]> {
  const answers: (readonly number[] | null)[] = prompts.map(() => null);
  let open = prompts.map(({ prompt, draft, most }, index): Open => ({
    index,
    prompt,
    most,
    draft: draft.slice(0, most),
  }));
  /** Of each draft, what the model says stands. */
  const settle = (members: readonly Open[], likeliest: Int32Array): void => {
    let from = 0;
    for (const member of members) {
      const { draft, most, index } = member;
      const own = [...likeliest.subarray(from, from + draft.length + 1)];
      from += own.length;
      const wrong = own.findIndex((token, at) => token !== draft[at]);
      const sure = own.slice(0, wrong + 1);
      const last = sure.indexOf(end);
      if (last >= 0 || sure.length >= most) answers[index] = sure.slice(0, last >= 0 ? Math.min(last, most) : most);
      else member.draft = own.slice(0, most);
    }
  };
  for (let used = 0; open.length > 0 && used < budget;) {
    const lengths = open.map(({ prompt, draft }) => prompt.length + draft.length);
    for (const round of toRounds(toPasses([...open.keys()], lengths, maxTokens), crew.threads)) {
      const parts = round.map((pass) => pass.flatMap((at) => open[at] ?? []));
      const batches = parts.map((members) => toBatch(members.map(toRow)));
      const found = await crew.likeliest(batches);
      used += batches.reduce((sum, { tokens }) => sum + tokens.length, 0);
      for (const [index, likeliest] of found.entries()) settle(parts[index] ?? [], likeliest);
      await pause();
    }
    open = open.filter(({ index }) => answers[index] === null);
  }
  return answers;
}
