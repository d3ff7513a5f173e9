// Reads where the errors of a run are: its marks of right rows, and the rows of its snapshot.
import { and, eq, isNull } from 'drizzle-orm';
import { readRightRows } from '#core/contract/rightRows.ts';
import type { RowErrors } from '#core/contract/rowErrors.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { toAnswer } from '#features/datasets/shared/answerShape.ts';
import { readAnswer } from '#features/datasets/shared/findings/answerForm.ts';
import { SameQuestions } from '#features/datasets/shared/findings/sameQuestions.ts';
import { readFrame, readSnapshotPage, type SnapshotFrame } from '#features/datasets/server/rows/snapshotFrame.ts';
import {
  findErrorLabels,
  findSharedErrors,
  NO_ROW_ERRORS,
  toNamed,
  toRowLabels,
  type ErrorLabels,
  type MeasuredRow,
  type RowLabels,
} from '#features/experiments/shared/rowErrors.ts';
import type { Database } from '#service/database/database.ts';
import { experiments, jobs, snapshots } from '#service/database/tables.ts';
import { hasSnapshot } from './recommendations.ts';

/** Each question of them is held in memory. */
const MOST_TRAINING_ROWS = 200_000;

/** A page at a time is read within a guard: all of them take longer than a caller of one waits. */
interface Reading extends Pick<Database, 'orm' | 'guard'> {
  /** Nobody waits any longer. */
  readonly signal?: AbortSignal;
}

interface LabelledRow {
  readonly position: number;
  readonly row: ChatRow;
  readonly labels: RowLabels;
}

async function* readRows({ orm, guard, signal }: Reading, frame: SnapshotFrame, bucket: 'training' | 'validation') {
  for (let from = 0; from < frame.rows_end;) {
    signal?.throwIfAborted();
    const start = from;
    const { rows, next } = await guard(() =>
      readSnapshotPage(orm, frame, { from: start, end: frame.rows_end }, bucket),
    );
    for (const { position, body } of rows) {
      const row = JSON.parse(body) as ChatRow;
      const read: LabelledRow = { position, row, labels: toRowLabels(toAnswer(row.messages)) };
      yield read;
    }
    from = next;
  }
}

/** What the training rows with these labels are like. */
async function readTraining(reading: Reading, frame: SnapshotFrame, { field, values }: ErrorLabels) {
  const counts = new Map(values.map(({ value }) => [value, 0]));
  const positions: number[] = [];
  const places = new Map<string, number>();
  const labelled = new Set<number>();
  const questions = new SameQuestions();
  for await (const { position, row, labels } of readRows(reading, frame, 'training')) {
    const place = positions.push(position) - 1;
    const value = labels.get(field);
    const known = value === undefined ? undefined : counts.get(value);
    if (value !== undefined && known !== undefined) {
      counts.set(value, known + 1);
      labelled.add(place);
    }
    const question = toQuestionHash(row);
    const first = places.get(question) ?? place;
    if (first === place) places.set(question, place);
    questions.add(first, row, readAnswer(row.messages.findLast(({ role }) => role === 'assistant') ?? { content: '' }));
  }
  const contradicting = new Set(
    questions
      .toDisagreements()
      .flatMap(({ id, place }) => (id === 'contradiction' && labelled.has(place) ? [place] : [])),
  );
  return {
    countOf: (value: string): number => counts.get(value) ?? 0,
    rows: positions.length,
    contradicting: [...contradicting].flatMap((place) => positions[place] ?? []),
  };
}

async function toLabels(
  reading: Reading,
  frame: SnapshotFrame,
  trainingCount: number,
  found: ErrorLabels,
): Promise<RowErrors['labels']> {
  const training = trainingCount > MOST_TRAINING_ROWS ? null : await readTraining(reading, frame, found);
  return {
    field: found.field,
    values: found.values.map(({ value, rows, wrong }) => ({
      value,
      rows,
      wrong,
      training_rows: training?.countOf(value) ?? null,
    })),
    kinds: found.kinds,
    positions: toNamed(found.positions),
    training_rows: training?.rows ?? null,
    contradicting: training && {
      count: training.contradicting.length,
      positions: toNamed(training.contradicting),
    },
  };
}

/** Marks of the runs of a snapshot, by experiment: of those that belong to its validation rows. */
async function readMarks(orm: Database['orm'], snapshotId: string, validationCount: number) {
  const runs = await orm
    .select({ id: experiments.id, status: experiments.status, settings: experiments.settings })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .where(and(eq(jobs.snapshot_id, snapshotId), isNull(experiments.deleted_at), isNull(jobs.deleted_at)));
  return new Map(
    runs.flatMap(({ id, status, settings }) => {
      const { right_rows: text } = settings ?? {};
      const right = isSucceeded(status) && text !== undefined ? readRightRows(text, validationCount) : null;
      return right === null ? [] : [[id, right] as const];
    }),
  );
}

async function openErrors(orm: Database['orm'], snapshotId: string) {
  if (!(await hasSnapshot(orm, snapshotId))) return null;
  const [snapshot] = await orm.select().from(snapshots).where(eq(snapshots.id, snapshotId));
  const frame = await readFrame(orm, snapshotId);
  if (!snapshot || !frame) return null;
  return { snapshot, frame, runs: await readMarks(orm, snapshotId, snapshot.validation_count) };
}

/** Where the errors of a run are. null: there is no such snapshot. Throws the reason of the signal between two pages. */
export async function readRowErrors(
  reading: Reading,
  snapshotId: string,
  experimentId: string,
): Promise<RowErrors | null> {
  const opened = await reading.guard(() => openErrors(reading.orm, snapshotId));
  if (opened === null) return null;
  const { snapshot, frame, runs } = opened;
  const own = runs.get(experimentId);
  if (own === undefined) return NO_ROW_ERRORS;
  const positions: number[] = [];
  const measured: MeasuredRow[] = [];
  for await (const { position, labels } of readRows(reading, frame, 'validation')) {
    const isRight = own[positions.length] ?? null;
    if (isRight !== null) measured.push({ position, isRight, labels });
    positions.push(position);
    if (positions.length === own.length) break;
  }
  // The sample's rows may be of another edition.
  if (positions.length !== own.length) return NO_ROW_ERRORS;
  const labels = findErrorLabels(measured);
  const others = [...runs].flatMap(([id, right]) => (id === experimentId ? [] : [right]));
  const shared = findSharedErrors(positions, [own, ...others]);
  return {
    rows: measured.length,
    wrong: measured.filter(({ isRight }) => !isRight).length,
    labels: labels && (await toLabels(reading, frame, snapshot.training_count, labels)),
    shared: shared && {
      runs: shared.runs,
      least: shared.least,
      count: shared.positions.length,
      positions: toNamed(shared.positions),
    },
  };
}
