// Chat rows of a task that templates make: the same rows for the same seed.
import { openRandom } from '#trainer/model/random.ts';

export interface Draw {
  /** A whole number from `low` to `high`, both possible. */
  number(low: number, high: number): number;
  one<T>(values: readonly [T, ...T[]]): T;
}

function openDraw(seed: number): Draw {
  const random = openRandom(seed);
  return {
    number: (low, high) => low + Math.floor(random() * (high - low + 1)),
    one: (values) => values[Math.floor(random() * values.length)] ?? values[0],
  };
}

export interface Pair {
  readonly question: string;
  readonly answer: string;
}

export interface Task {
  readonly system: string;
  readonly toPair: (draw: Draw) => Pair;
}

/** Questions in a row that are not new. */
const PATIENCE = 1000;

/** `count` chat rows as lines of JSON, each with another question. Throws when the templates don't give so many. */
export function toChatRows({ system, toPair }: Task, count: number, seed: number): readonly string[] {
  const draw = openDraw(seed);
  const rows = new Map<string, string>();
  for (let misses = 0; rows.size < count; misses += 1) {
    if (misses > PATIENCE) throw new Error(`The templates of "${system}" do not give ${count} different rows.`);
    const { question, answer } = toPair(draw);
    if (rows.has(question)) continue;
    misses = 0;
    rows.set(
      question,
      JSON.stringify({
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: question },
          { role: 'assistant', content: answer },
        ],
      }),
    );
  }
  return [...rows.values()];
}
