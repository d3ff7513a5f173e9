// Which answers the thread that applies checks still has: those of one run, which a changed check judges again without reading
// them from the database.
import type { CheckBatch } from './checkMessages.ts';

/** Answers of a model to a block of rows. */
export interface AnswerBlock {
  readonly run: string;
  readonly model: number;
  /** The first row. */
  readonly first: number;
  readonly key: string;
}

/** Characters that are kept. */
const MAX_CHARACTERS = 40_000_000;

const countOf = ({ answer, expected, calls }: CheckBatch['answers'][number]): number =>
  calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, answer.length + (expected?.length ?? 0));

export class KeptAnswers {
  #run = '';
  #characters = 0;
  readonly #blocks = new Map<string, AnswerBlock & { readonly places: Set<number> }>();

  /** Whether the thread is to keep them. */
  add(block: AnswerBlock, places: readonly number[], answers: CheckBatch['answers']): boolean {
    if (block.run !== this.#run) {
      this.#run = block.run;
      this.#characters = 0;
      this.#blocks.clear();
    }
    this.#characters += answers.reduce((sum, answer) => sum + countOf(answer), 0);
    if (this.#characters > MAX_CHARACTERS) return false;
    const own = this.#blocks.get(block.key) ?? { ...block, places: new Set<number>() };
    this.#blocks.set(block.key, own);
    for (const place of places) own.places.add(place);
    return true;
  }

  /** The blocks of a run; null: not all of its answers are here. `answers`: how many each model has. */
  findBlocks(run: string, answers: ReadonlyMap<number, number>): readonly AnswerBlock[] | null {
    if (run !== this.#run) return null;
    const blocks = [...this.#blocks.values()];
    const isWhole = [...answers].every(
      ([model, count]) =>
        blocks.reduce((sum, block) => (block.model === model ? sum + block.places.size : sum), 0) === count,
    );
    return isWhole ? blocks : null;
  }
}
