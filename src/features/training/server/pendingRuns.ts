// Runs that wait for other runs: for the model that they go on from, or for the other candidates of their job.
import { asc, desc, eq, inArray } from 'drizzle-orm';
import { formatMeasure } from '#core/contract/numberNotation.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import { judgeRung, toNextRung, toSettingsKey, type RungRun, type Verdict } from '#features/training/shared/halving.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, jobs } from '#service/database/tables.ts';
import { lockRuns } from './cancelJob.ts';
import { changeStatus } from './jobStates.ts';
import { toExperimentAgain } from './newJob.ts';
import { selectRuns, type QueuedRun } from './queue.ts';
import { readCurveResults } from './results.ts';
import { trainingValidations } from './trainingTables.ts';

/** At a rung, with a checkpoint: one that waits for a model has none. */
export const isPaused = ({ run, training: { halving, can_resume } }: QueuedRun): boolean =>
  run.status === 'pending' && can_resume && halving?.rung != null;

/** Runs that wait for the model of another run: queued when it is there, failed when it never will be. */
async function promoteFollowers(orm: Orm, waiting: readonly QueuedRun[], now: Date): Promise<void> {
  const ids = waiting.flatMap(({ training }) => training.refinetune_from ?? []);
  const sources = ids.length === 0 ? [] : await orm.select().from(experiments).where(inArray(experiments.id, ids));
  const statusOf = new Map(sources.map(({ id, status }) => [id, status]));
  for (const { run, training } of waiting) {
    const status = training.refinetune_from === null ? null : (statusOf.get(training.refinetune_from) ?? null);
    if (isSucceeded(status))
      await orm.transaction((inner) => changeStatus(inner, run.id, { status: 'queued', reason: null }, now));
    else if (!isActiveStatus(status))
      await orm.transaction((inner) =>
        changeStatus(
          inner,
          run.id,
          { status: 'failed', reason: 'The run that it goes on from made no model. Choose another one.' },
          now,
        ),
      );
  }
}

function toState(queued: QueuedRun): RungRun['state'] {
  const { status } = queued.run;
  if (isPaused(queued)) return 'paused';
  if (isActiveStatus(status)) return 'going';
  if (isSucceeded(status)) return 'done';
  return status === 'failed' ? 'failed' : 'stopped';
}

/** The last validation loss of each run. */
async function readLosses(orm: Orm, ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const { experiment_id: id, step, loss } = trainingValidations;
  const rows = await orm
    .selectDistinctOn([id], { id, loss })
    .from(trainingValidations)
    .where(inArray(id, [...ids]))
    .orderBy(id, desc(step));
  return new Map(rows.map((row) => [row.id, Number.isFinite(row.loss) ? row.loss : null]));
}

/** `place 7 of 9 by validation loss, 1.32 against 0.71 of the best`. */
function toPlaceText({ place, of, loss, best, seeds }: Verdict): string {
  const at = `place ${place} of ${of}`;
  if (loss === null) return `${at}, ${seeds > 1 ? 'because a seed failed' : 'without a validation loss'}`;
  const value = `${formatMeasure(loss)}${seeds > 1 ? `, the mean of ${seeds} seeds,` : ''}`;
  const against = place === 1 || best === null ? '' : ` against ${formatMeasure(best)} of the best`;
  return `${at} by validation loss, ${value}${against}`;
}

async function judge(orm: Orm, jobId: string, now: Date): Promise<void> {
  await lockRuns(orm, jobId);
  const all = await selectRuns(orm, eq(jobs.id, jobId)).orderBy(asc(experiments.experiment_number));
  const [first, ...others] = all.filter(isPaused);
  const halving = first?.training.halving;
  if (halving?.rung == null) return;
  // What people want of a run that pauses is done by whoever takes it.
  const wished = [first, ...others].filter((queued) => queued?.training.wish != null);
  for (const queued of wished)
    if (queued) await changeStatus(orm, queued.run.id, { status: 'queued', reason: null }, now);
  if (wished.length > 0) return;
  const there = all.filter(({ training }) => training.halving?.rung === halving.rung);
  const losses = await readLosses(
    orm,
    there.map(({ run }) => run.id),
  );
  const judged = judgeRung(
    there.map((queued) => ({
      id: queued.run.id,
      key: toSettingsKey(toExperimentAgain(queued.run, queued.training)),
      state: toState(queued),
      loss: losses.get(queued.run.id) ?? null,
    })),
    halving,
  );
  if (judged === null) return;
  const next = toNextRung(halving, halving.rung, judged.kept);
  for (const { run, training } of there) {
    const verdict = judged.verdicts.get(run.id);
    if (verdict === undefined) continue;
    const text = toPlaceText(verdict);
    await changeStatus(
      orm,
      run.id,
      verdict.goesOn
        ? {
            status: 'queued',
            reason: `At step ${training.step}: ${text}. It goes on.`,
            training: { halving: { ...halving, rung: next } },
          }
        : {
            status: 'stopped',
            reason: `Stopped early at step ${training.step}: ${text}. Its checkpoint is kept.`,
            results: await readCurveResults(orm, run.id),
            training: { halving: { ...halving, is_stopped_early: true } },
          },
      now,
    );
  }
}

/**
 * Lets those go on that what they wait for has come to, and ends those that wait in vain. It follows from what is stored
 * alone, so it may be asked at any time, by any process.
 */
export async function promotePending(orm: Orm, now: Date): Promise<void> {
  const waiting = await selectRuns(orm, eq(experiments.status, 'pending'));
  const followers = waiting.filter((queued) => !isPaused(queued));
  await promoteFollowers(orm, followers, now);
  const jobIds = new Set(waiting.filter(isPaused).map(({ run }) => run.job_id));
  for (const jobId of jobIds) await orm.transaction((inner) => judge(inner, jobId, now));
}
