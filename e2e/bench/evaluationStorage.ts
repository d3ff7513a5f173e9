// Evaluations: what a run of 10,000 rows, 4 models and 3 repeats takes in the embedded database, how quickly answers of a fake
// model are stored and judged, and how long scores take after a change of a check.
import { setTimeout as pause } from 'node:timers/promises';
import { ASK_TIMING } from '#features/evaluation/server/askStage.ts';
import { changeEvaluation, createEvaluation } from '#features/evaluation/server/evaluations.ts';
import {
  fillTables,
  openFakeEngine,
  openTestEvaluations,
  PROJECT,
  VOICES,
} from '#features/evaluation/server/testRoom.fixture.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { openTestDatabase } from '#service/database/testDatabase.fixture.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const ROWS = amount(10_000, 300);
const REPEATS = 3;
const SYSTEM = 'You are the support desk of a shop. Answer in one line, and name the order. '.repeat(20);

const toRow = (at: number) => ({
  messages: [
    { role: 'system' as const, content: SYSTEM },
    { role: 'user' as const, content: `Order ${at * 7} has not come, and I wait for ${at % 9} days. Where is it?` },
  ],
  expected: `ORDER ${at * 7} HAS NOT COME, AND I WAIT FOR ${at % 9} DAYS. WHERE IS IT?`,
  tags: { days: String(at % 9) },
});

/** Prints bytes for each answer, answers per second, and the milliseconds of scores. */
export async function measureEvaluationStorage(): Promise<void> {
  const folders = await openTestFolders();
  const database = await openTestDatabase(await folders.withDatabase('tables'));
  const readBytes = async (): Promise<number> => {
    const { rows } = await database.executeSql(
      `select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c
       join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'studio' and c.relkind = 'r' and c.relname like 'evaluation%'`,
    );
    return Number((rows[0] as { readonly bytes: unknown }).bytes);
  };
  try {
    await fillTables(database);
    const room = await openTestEvaluations(database, openFakeEngine(), {
      timing: { ...ASK_TIMING, faultMs: 1 },
    });
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const beganAt = performance.now();
      await work();
      return (performance.now() - beganAt) / 1000;
    };
    const finish = async (id: string): Promise<void> => {
      while ((await room.read(id)).status !== 'completed') await pause(100);
    };
    const before = await readBytes();
    const models = Object.keys(VOICES);
    const made = await createEvaluation(
      room.deps,
      {
        project_id: PROJECT,
        name: 'Large',
        source: { kind: 'rows' },
        rows: Array.from({ length: ROWS }, (_, at) => toRow(at)),
        models,
        repeats: REPEATS,
        checks: [
          { id: 'same', kind: 'exact' },
          { id: 'order', kind: 'regex', expected: String.raw`order \d+`, is_case_sensitive: false },
        ],
      },
      null,
    );
    const rowBytes = (await readBytes()) - before;
    const { id } = await room.start(made.id, {}, null);
    const asked = await seconds(() => finish(id));
    const answers = ROWS * models.length * REPEATS;
    const runBytes = (await readBytes()) - before - rowBytes;
    const scored = await seconds(() => room.readScores(id));
    const changed: number[] = [];
    for (const [at, is_case_sensitive] of [false, true, false, true, false].entries()) {
      const checks = [{ id: 'same', kind: 'exact' as const, is_case_sensitive }, ...made.checks.slice(1)];
      await changeEvaluation(room.deps, made.id, { revision: made.revision + at, checks }, null);
      const taken = await seconds(async () => {
        await room.rescore(id);
        await room.readScores(id);
      });
      await finish(id);
      changed.push(taken);
    }
    await room.close();
    process.stdout.write(
      `evaluation storage, ${ROWS} rows, ${models.length} models, ${REPEATS} repeats: ${(rowBytes / ROWS).toFixed(0)} bytes a row, ` +
        `${(runBytes / answers).toFixed(0)} an answer with 2 verdicts; ${(answers / asked).toFixed(0)} answers/s stored and ` +
        `judged; scores in ${(scored * 1000).toFixed(0)} ms, after a change of a check in ` +
        `${(median(changed) * 1000).toFixed(0)} ms (median of ${changed.length})\n`,
    );
  } finally {
    await database.close();
    await folders.remove();
  }
}
