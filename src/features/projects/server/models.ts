// The studio's models: their files for the engine, and example prompts like those they were trained on.
import { resolve } from 'node:path';
import { asc, eq } from 'drizzle-orm';
import { arrayOr, isObject, textOr, type JsonObject } from '#core/contract/readJson.ts';
import type { Examples } from '#core/contract/sessionInfo.ts';
import type { ModelFile } from '#engine/engine.ts';
import { findByName, toImportedLast } from '#engine/modelNames.ts';
import type { Orm } from '#service/database/database.ts';
import { pickDiverse } from './diverse.ts';
import { findContinuation, toAnswerFormat, toTurnKind } from './exampleShape.ts';
import { toExampleTools } from './exampleTools.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';
import { toSamplePath } from './sampleFiles.ts';
import { datasets, experiments, jobs, models, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { readTrainingForms } from './trainingForms.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';

const PROMPTS = 6;
/** How many validation rows prompts are chosen from, and how many blocks are looked through for them. */
const CANDIDATES = 200;
const BLOCKS = 64;
/** Characters of them after which no more are read. */
const MOST_TEXT = 16 * 1024 * 1024;

/** A file of the data folder by its place there (`models/a.gguf`), of the sample by its name, any other by its path. */
export function toModelPath(dataDir: string, file: string): string {
  return /[/\\]/.test(file) ? resolve(dataDir, file) : toSamplePath(file);
}

/**
 * Model files in the order of display; `toPath` turns a file's name into its path. The model of a run that was deleted,
 * or of which something above was, is left out until it is restored.
 */
export async function listModelFiles(orm: Orm, toPath: (file: string) => string): Promise<ModelFile[]> {
  const rows = await orm
    .select({ model: models })
    .from(models)
    .leftJoin(experiments, eq(experiments.id, models.experiment_id))
    .leftJoin(jobs, eq(jobs.id, experiments.job_id))
    .leftJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
    .leftJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .leftJoin(projects, eq(projects.id, datasets.project_id))
    .where(notDeleted(experiments, jobs, snapshots, datasets, projects))
    .orderBy(asc(models.position), asc(models.id));
  const listed = rows.map(({ model }) => model);
  return listed.map(({ id, aliases, file, adapter, created_at, owned_by }) => ({
    id,
    aliases,
    path: toPath(file),
    adapter: adapter === null ? null : toPath(adapter),
    created: Math.floor(created_at.getTime() / 1000),
    owned_by,
  }));
}

/** A caller with a cached list waits at most this long for a newer one. */
const REFRESH_MS = 1_000;

/**
 * A reader of a list that survives database failures. While the database is unavailable, it returns the last list,
 * because models that are loaded or on disk can still answer. Without a last list it throws the failure.
 */
export function keepLast<T>(read: (limitMs?: number) => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let last: readonly T[] | null = null;
  return async () => {
    try {
      last = await read(last ? REFRESH_MS : undefined);
      return last;
    } catch (error) {
      if (last && error instanceof DatabaseUnavailable) return last;
      throw error;
    }
  };
}

interface Conversation {
  readonly row: JsonObject;
  readonly system: string;
  readonly user: string;
  readonly answer: string;
}

/** A longer question is not offered as an example: nobody reads it, and many a context has no room for it. */
const LONGEST_EXAMPLE = 1000;

/** The parts of a chat row that make an example; none without a user message. */
function toConversation(body: string): Conversation[] {
  const row: unknown = JSON.parse(body);
  if (!isObject(row)) return [];
  const messages = arrayOr(row['messages']).filter(isObject);
  const contentOf = (role: string) => textOr(messages.find((message) => message['role'] === role)?.['content'], '');
  const user = contentOf('user');
  return user === '' ? [] : [{ row, system: contentOf('system'), user, answer: contentOf('assistant') }];
}

/** The last rows that an experiment's training did not see. Files often have them at their end, as the sample does. */
async function readHeldOut(orm: Orm, experimentId: string): Promise<Conversation[]> {
  const [job] = await orm
    .select({ snapshot_id: jobs.snapshot_id })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .where(eq(experiments.id, experimentId));
  const frame = job && (await readFrame(orm, job.snapshot_id));
  if (!frame) return [];
  // The last block first. Blocks mostly begin at multiples of their size.
  const found: string[] = [];
  let length = 0;
  const last = Math.floor((frame.rows_end - 1) / BLOCK_ROWS) * BLOCK_ROWS;
  const first = Math.max(0, last - (BLOCKS - 1) * BLOCK_ROWS);
  for (let from = last; from >= first && found.length < CANDIDATES && length < MOST_TEXT; from -= BLOCK_ROWS) {
    const page = await readSnapshotPage(orm, frame, { from, end: from + BLOCK_ROWS }, 'validation');
    const bodies = page.rows.map(({ body }) => body);
    length += bodies.reduce((sum, body) => sum + body.length, 0);
    found.unshift(...bodies);
  }
  return found.slice(-CANDIDATES).flatMap(toConversation);
}

type Shape = Pick<Examples, 'response_format' | 'turns' | 'continues_after_tool'>;

/** By snapshot. Its rows never change, and reading thousands takes a while. */
const shapes = new WeakMap<Orm, Map<string, Shape>>();

async function readShape(orm: Orm, experimentId: string): Promise<Shape> {
  const known = shapes.get(orm) ?? new Map<string, Shape>();
  shapes.set(orm, known);
  const [snapshot] = await orm
    .select({
      id: snapshots.id,
      training_count: snapshots.training_count,
    })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .where(eq(experiments.id, experimentId));
  const found = snapshot && known.get(snapshot.id);
  if (found) return found;
  const { forms, isWhole } = snapshot ? await readTrainingForms(orm, snapshot) : { forms: [], isWhole: true };
  const shape = {
    response_format: toAnswerFormat(forms, isWhole),
    turns: toTurnKind(forms),
    continues_after_tool: findContinuation(forms),
  };
  if (snapshot) known.set(snapshot.id, shape);
  return shape;
}

/** Examples for a model by id or alias; null when there is no such model or nothing to show. */
export async function findExamples(orm: Orm, name: string): Promise<Examples | null> {
  const model = findByName(toImportedLast(await orm.select().from(models).orderBy(asc(models.position))), name);
  if (!model) return null;
  const { id, about, examples, experiment_id } = model;
  if (examples)
    return {
      model: id,
      about,
      tools: [],
      response_format: null,
      turns: null,
      continues_after_tool: null,
      ...examples,
    };
  const rows = experiment_id === null ? [] : await readHeldOut(orm, experiment_id);
  const [first] = rows;
  if (!first || experiment_id === null) return null;
  const short = rows.filter(({ user }) => user.length <= LONGEST_EXAMPLE);
  const chosen = pickDiverse(short, PROMPTS, (row) => row.answer);
  return {
    model: id,
    about,
    system_prompt: first.system,
    tools: toExampleTools(rows.map(({ row }) => row)),
    ...(await readShape(orm, experiment_id)),
    prompts: chosen.map((row) => row.user),
  };
}
