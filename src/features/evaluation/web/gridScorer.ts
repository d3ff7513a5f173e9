// Keeps verdicts up to date: checks new and changed answers in batches, one batch at a time. Callers pass the check
// client.
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import { isEarlier, toAnswerText, type GridBook } from '#features/evaluation/web/grid/gridBook.ts';
import type { CheckClient, CheckJob } from '#features/evaluation/web/workers/checkClient.ts';
import type { GridTally } from '#features/evaluation/web/grid/gridTally.ts';

export interface GridScorer {
  /** Checks every answer again. Without checks there are no verdicts. */
  readonly setChecks: (specs: readonly CheckSpec[]) => void;
  /** Queues the answers at these places. */
  readonly update: (places: readonly number[]) => void;
  readonly close: () => void;
}

const MAX_BATCH = 100;
const MAX_CHARACTERS = 500_000;

export interface ScorerDeps {
  readonly openClient: (specs: readonly CheckSpec[]) => CheckClient;
  /** Called when verdicts have changed. */
  readonly onChange: () => void;
}

export function openGridScorer(book: GridBook, tally: GridTally, { openClient, onChange }: ScorerDeps): GridScorer {
  const width = book.setup.columns.length;
  /** Places to check, in order of arrival, each once. */
  const queue = new Set<number>();
  let client: CheckClient | null = null;
  let isWorking = false;
  /** Increases with every change of the checks. Work of an older generation stops. */
  let generation = 0;

  function takeBatch(): readonly (readonly [number, CheckJob])[] {
    const batch: (readonly [number, CheckJob])[] = [];
    let size = 0;
    for (const at of queue) {
      if (batch.length === MAX_BATCH || size > MAX_CHARACTERS) break;
      queue.delete(at);
      const cell = book.cells[at];
      // Answers to an earlier prompt get no verdict: it would count as one for the current prompt.
      if (cell?.state !== 'done' || isEarlier(cell)) continue;
      const answer = toAnswerText(cell.answer);
      size += answer.length;
      const row = book.setup.rows[Math.floor(at / width)];
      const { ms, completion_tokens: completionTokens, toolCalls: calls } = cell.answer;
      const variables = Object.fromEntries(row?.variables ?? []);
      batch.push([
        at,
        { answer, calls, expected: row?.expected ?? null, facts: { ms, completionTokens }, row: variables },
      ]);
    }
    return batch;
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    const startGeneration = generation;
    for (;;) {
      const activeClient = client;
      if (!activeClient || queue.size === 0) break;
      const batch = takeBatch();
      const cells = batch.map(([at]) => book.cells[at]);
      const results = batch.length === 0 ? [] : await activeClient.check(batch.map(([, job]) => job));
      if (startGeneration !== generation) return;
      for (const [index, [at]] of batch.entries()) {
        const result = results[index];
        // The answer may have been cleared or replaced in the meantime.
        if (result && book.cells[at] === cells[index]) tally.setVerdict(at, result);
      }
      onChange();
    }
    isWorking = false;
  }

  function update(places: readonly number[]): void {
    if (!client) return;
    for (const at of places) if (book.cells[at]?.state === 'done') queue.add(at);
    void work();
  }

  function close(): void {
    client?.close();
    client = null;
    queue.clear();
    // A pending batch never resolves once its client is closed.
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
