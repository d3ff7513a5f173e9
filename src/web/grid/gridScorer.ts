// Keeps verdicts up to date: answers that came or changed are checked in batches, one after the other. Who checks comes
// in.
import type { CheckSpec } from '#shared/evaluation/checks.ts';
import { isEarlier, toAnswerText, type GridBook } from '#web/grid/cells/gridBook.ts';
import type { CheckClient, CheckJob } from '#web/grid/workers/checkClient.ts';
import type { GridTally } from '#web/grid/cells/gridTally.ts';

export interface GridScorer {
  /** Checks every answer anew; without checks there are no verdicts. */
  readonly setChecks: (specs: readonly CheckSpec[]) => void;
  /** Answers at these places are new. */
  readonly update: (places: readonly number[]) => void;
  readonly close: () => void;
}

const MAX_BATCH = 100;
const MAX_CHARACTERS = 500_000;

export interface ScorerDeps {
  readonly openClient: (specs: readonly CheckSpec[]) => CheckClient;
  /** Verdicts have changed. */
  readonly onChange: () => void;
}

export function openGridScorer(book: GridBook, tally: GridTally, { openClient, onChange }: ScorerDeps): GridScorer {
  const width = book.setup.columns.length;
  /** Places in line: a set takes each once, in the order in which they came. */
  const line = new Set<number>();
  let client: CheckClient | null = null;
  let isWorking = false;
  /** Counts up with every change of the checks: work that began before is not to go on. */
  let generation = 0;

  function takeBatch(): readonly (readonly [number, CheckJob])[] {
    const batch: (readonly [number, CheckJob])[] = [];
    let size = 0;
    for (const at of line) {
      if (batch.length === MAX_BATCH || size > MAX_CHARACTERS) break;
      line.delete(at);
      const cell = book.cells[at];
      // A verdict on an answer to an earlier prompt would be counted with those of now.
      if (cell?.state !== 'done' || isEarlier(cell)) continue;
      const answer = toAnswerText(cell.answer);
      size += answer.length;
      batch.push([
        at,
        { answer, calls: cell.answer.toolCalls, expected: book.setup.rows[Math.floor(at / width)]?.expected ?? null },
      ]);
    }
    return batch;
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    const born = generation;
    for (;;) {
      const asked = client;
      if (!asked || line.size === 0) break;
      const batch = takeBatch();
      const cells = batch.map(([at]) => book.cells[at]);
      const results = batch.length === 0 ? [] : await asked.check(batch.map(([, job]) => job));
      if (born !== generation) return;
      for (const [index, [at]] of batch.entries()) {
        const result = results[index];
        // The answer may have been cleared or asked for again in the meantime.
        if (result && book.cells[at] === cells[index]) tally.setVerdict(at, result);
      }
      onChange();
    }
    isWorking = false;
  }

  function update(places: readonly number[]): void {
    if (!client) return;
    for (const at of places) if (book.cells[at]?.state === 'done') line.add(at);
    void work();
  }

  function close(): void {
    client?.close();
    client = null;
    line.clear();
    // A batch that is on its way never comes back once its client is closed.
    isWorking = false;
    generation += 1;
  }

  return {
    setChecks(specs) {
      close();
      tally.clearVerdicts();
      if (specs.length > 0) client = openClient(specs);
      onChange();
      update([...book.cells.keys()]);
    },
    update,
    close,
  };
}
