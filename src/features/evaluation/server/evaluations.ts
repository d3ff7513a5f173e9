// Evaluations and their versions in the database.
import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { isHttp, isRule } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpec } from '#features/evaluation/shared/wireChecks.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { RunSummary } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type {
  Evaluation,
  EvaluationChange,
  EvaluationVersions,
  NewEvaluation,
} from '#features/evaluation/shared/contract/evaluations.ts';
import { findCheckProblem } from '#features/evaluation/shared/checkSet.ts';
import { toAuthorColumn } from '#service/database/author.ts';
import type { Orm } from '#service/database/database.ts';
import { datasets, notDeleted, projects } from '#service/database/tables.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { evaluations, rowSets, versions } from './evaluationTables.ts';
import type { TagColumns } from './evaluationRows.ts';
import { insertRowSet } from './rowSets.ts';
import { readSource, type SourceDeps } from './rowSources.ts';
import { checkStoredBytes } from './storedBytes.ts';
import { readLatestRuns } from './runRecords.ts';
import {
  findChanges,
  insertVersion,
  readContent,
  toContent,
  type VersionContent,
  type VersionRecord,
} from './versions.ts';

export interface EvaluationDeps extends SourceDeps {
  /** Programs of people that may judge. */
  readonly evaluatorNames: readonly string[];
  /** The most of rows and answers that the studio keeps. */
  readonly storedBytes: number;
  readonly now: () => Date;
}

type EvaluationRecord = typeof evaluations.$inferSelect;
const topTags = (text: string): Evaluation['tags'] =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as TagColumns).map(([tag, { values }]) => [
      tag,
      values.slice(0, EVALUATION_LIMITS.tagValues),
    ]),
  );

function toEvaluation(
  record: EvaluationRecord,
  version: VersionRecord,
  rows: typeof rowSets.$inferSelect,
  latest_run: RunSummary | null,
): Evaluation {
  const { row_set_id: _, ...content } = toContent(version);
  return {
    id: record.id,
    project_id: record.project_id,
    name: record.name,
    dataset_id: record.dataset_id,
    is_default: record.is_default,
    revision: record.revision,
    version: version.version,
    prompt: content.prompt,
    system: content.system,
    checks: [...content.checks],
    settings: content.settings,
    models: [...record.models],
    repeats: record.repeats,
    baseline: record.baseline,
    source: rows.source,
    row_count: rows.row_count,
    tags: topTags(rows.tags),
    created_at: record.created_at.toISOString(),
    created_by: record.created_by === '' ? null : record.created_by,
    updated_at: record.updated_at.toISOString(),
    updated_by: record.updated_by === '' ? null : record.updated_by,
    latest_run,
  };
}

/** `version`: null is the latest. */
async function readEvaluations(orm: Orm, where: SQL | undefined, version: number | null = null): Promise<Evaluation[]> {
  const records = await orm
    .select({ record: evaluations, version: versions, rows: rowSets })
    .from(evaluations)
    .innerJoin(projects, eq(evaluations.project_id, projects.id))
    .innerJoin(
      versions,
      and(
        eq(versions.evaluation_id, evaluations.id),
        version === null ? eq(versions.version, evaluations.version) : eq(versions.version, version),
      ),
    )
    .innerJoin(rowSets, eq(versions.row_set_id, rowSets.id))
    .where(and(where, notDeleted(projects)))
    .orderBy(asc(evaluations.created_at), asc(evaluations.id));
  const latest = await readLatestRuns(
    orm,
    records.map(({ record }) => record.id),
  );
  return records.map(({ record, version: own, rows }) =>
    toEvaluation(record, own, rows, latest.get(record.id) ?? null),
  );
}

export const listEvaluations = (orm: Orm, projectId: string, datasetId: string | null): Promise<Evaluation[]> =>
  readEvaluations(
    orm,
    and(eq(evaluations.project_id, projectId), ...(datasetId === null ? [] : [eq(evaluations.dataset_id, datasetId)])),
  );

/** Throws HttpProblem 404. */
export async function readEvaluation(orm: Orm, id: string, version: number | null = null): Promise<Evaluation> {
  const [evaluation] = await readEvaluations(orm, eq(evaluations.id, id), version);
  if (evaluation === undefined && version !== null) await readEvaluation(orm, id);
  return version === null
    ? found(evaluation ?? null, 'evaluation', id)
    : found(evaluation ?? null, 'version', String(version), 'version');
}

/** What is checked of an evaluation that is made or changed. */
interface Plan {
  readonly models: readonly string[];
  readonly baseline: string | null;
  readonly dataset_id: string | null;
  readonly is_default: boolean;
}

const refuse = (param: string, message: string, code = 'invalid_request'): never => {
  throw new HttpProblem(400, message, { param, code });
};

function checkPlan({ models, baseline, dataset_id, is_default }: Plan): void {
  const doubled = models.findIndex((model, at) => models.indexOf(model) < at);
  if (doubled >= 0) refuse(`models[${doubled}]`, `The model "${models[doubled]}" is named twice. Name each once.`);
  if (baseline !== null && !models.includes(baseline))
    refuse('baseline', `The baseline "${baseline}" is none of the models. Choose one of them, or null.`);
  if (is_default && dataset_id === null)
    refuse('dataset_id', 'A default evaluation measures the runs of a dataset. Name one, or leave out is_default.');
}

function checkContent(
  { checks, settings, prompt }: VersionContent,
  hasVariables: boolean,
  evaluators: readonly string[],
): void {
  for (const [at, check] of checks.entries()) {
    const twin = checks.findIndex(({ id }) => id === check.id);
    if (check.id === PEOPLE)
      refuse(`checks[${at}].id`, `The id "${PEOPLE}" is that of what people judge. Give the check another one.`);
    if (twin < at) refuse(`checks[${at}].id`, `The id "${check.id}" is that of an earlier check. Give each its own.`);
    if (isHttp(check) && !evaluators.includes(check.evaluator))
      refuse(
        `checks[${at}].evaluator`,
        `This studio may ask no evaluator "${check.evaluator}". ${evaluators.length === 0 ? 'Its operator allows one with --evaluator NAME=URL.' : `There are ${evaluators.join(', ')}.`}`,
      );
    const problem = isRule(check) ? findCheckProblem(toCheckSpec(check)) : null;
    if (problem !== null) refuse(`checks[${at}]`, problem, 'invalid_check');
  }
  if (hasVariables && (prompt ?? '').trim() === '')
    refuse('prompt', 'Rows with variables need a prompt that they fill. Write one, or give each row messages.');
  // A tool choice is judged with the tools of each row.
  const { tool_choice: _, ...rest } = settings;
  const parsed = parseChatRequest({ model: 'any', messages: [{ role: 'user', content: 'Hi' }], ...rest });
  if (!parsed.ok) refuse(`settings.${parsed.problem.param ?? ''}`, parsed.problem.message);
}

/** Throws HttpProblem 404 for a project or dataset that is not there, 400 for a dataset of another project. */
async function checkPlace(orm: Orm, projectId: string, datasetId: string | null): Promise<void> {
  const [project] = await orm
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), notDeleted(projects)));
  found(project ?? null, 'project', projectId, 'project_id');
  if (datasetId === null) return;
  const [dataset] = await orm
    .select({ project_id: datasets.project_id })
    .from(datasets)
    .where(and(eq(datasets.id, datasetId), notDeleted(datasets)));
  const { project_id } = found(dataset ?? null, 'dataset', datasetId, 'dataset_id');
  if (project_id !== projectId) refuse('dataset_id', 'The dataset is of another project. Choose one of this project.');
}

/** At most one default for a dataset: another one is no default any more. */
async function dropOtherDefault(orm: Orm, id: string, { is_default, dataset_id }: Plan): Promise<void> {
  if (!is_default || dataset_id === null) return;
  await orm
    .update(evaluations)
    .set({ is_default: false, revision: sql`${evaluations.revision} + 1` })
    .where(and(eq(evaluations.dataset_id, dataset_id), eq(evaluations.is_default, true), ne(evaluations.id, id)));
}

/** Throws HttpProblem 400, 404, 409, 413, 507. `who`: the name of the token; null is the owner. */
export async function createEvaluation(
  deps: EvaluationDeps,
  body: NewEvaluation,
  who: string | null,
): Promise<Evaluation> {
  const { orm, now } = deps;
  await checkPlace(orm, body.project_id, body.dataset_id ?? null);
  const { rows, datasetId } = await readSource(deps, body.source, body.rows);
  const plan = {
    models: body.models ?? [],
    baseline: body.baseline ?? null,
    dataset_id: body.dataset_id === undefined ? datasetId : body.dataset_id,
    is_default: body.is_default ?? false,
  };
  checkPlan(plan);
  const content = {
    prompt: body.prompt ?? null,
    system: body.system ?? null,
    checks: body.checks ?? [],
    settings: body.settings ?? {},
  };
  checkContent(
    { row_set_id: '', ...content },
    rows.some(({ messages }) => messages === undefined),
    deps.evaluatorNames,
  );
  const id = randomUUID();
  const [at, by] = [now(), toAuthorColumn(who)];
  await orm.transaction(async (transaction) => {
    await lockProject(transaction, body.project_id);
    await dropOtherDefault(transaction, id, plan);
    await transaction.insert(evaluations).values({
      id,
      project_id: body.project_id,
      name: body.name,
      ...plan,
      repeats: body.repeats ?? 1,
      revision: 1,
      version: 1,
      created_at: at,
      created_by: by,
      updated_at: at,
      updated_by: by,
    });
    const row_set_id = await insertRowSet(transaction, id, body.source, rows);
    await checkStoredBytes(transaction, deps.storedBytes);
    await insertVersion(
      transaction,
      { evaluation_id: id, version: 1, created_at: at, created_by: by },
      { row_set_id, ...content },
    );
  });
  return readEvaluation(orm, id);
}

/** Together those who add evaluations stay within the limit. */
async function lockProject(orm: Orm, projectId: string): Promise<void> {
  await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`evaluations ${projectId}`}, 0))`);
  const [has] = await orm.select({ all: count() }).from(evaluations).where(eq(evaluations.project_id, projectId));
  if ((has?.all ?? 0) >= EVALUATION_LIMITS.perProject)
    throw new HttpProblem(
      409,
      `This project has ${EVALUATION_LIMITS.perProject} evaluations, the most that it keeps. Delete some first.`,
      { code: 'too_many_evaluations' },
    );
}

const changed = (current: Evaluation): HttpProblem =>
  new HttpProblem(
    409,
    'Somebody changed it since it was read. `current` is what stands now: send what should change, with its revision.',
    { param: 'revision', code: 'evaluation_changed', current },
  );

/** Throws HttpProblem 400, 404, 409, 413, 507. */
export async function changeEvaluation(
  deps: EvaluationDeps,
  id: string,
  change: EvaluationChange,
  who: string | null,
): Promise<Evaluation> {
  const { orm, now } = deps;
  const current = await readEvaluation(orm, id);
  if (current.revision !== change.revision) throw changed(current);
  if (change.rows !== undefined && change.source === undefined)
    refuse('source', 'Say in `source` where the rows come from, such as {"kind": "rows"}.');
  const read = change.source && (await readSource(deps, change.source, change.rows));
  const { name = current.name, repeats = current.repeats } = change;
  const plan = {
    models: change.models ?? current.models,
    baseline: change.baseline === undefined ? current.baseline : change.baseline,
    dataset_id: change.dataset_id === undefined ? current.dataset_id : change.dataset_id,
    is_default: change.is_default ?? current.is_default,
  };
  checkPlan(plan);
  await checkPlace(orm, current.project_id, plan.dataset_id === current.dataset_id ? null : plan.dataset_id);
  const before = await readContent(orm, id, current.version);
  const wanted = {
    row_set_id: before.row_set_id,
    prompt: change.prompt === undefined ? before.prompt : change.prompt,
    system: change.system === undefined ? before.system : change.system,
    checks: change.checks ?? before.checks,
    settings: change.settings ?? before.settings,
  };
  checkContent(wanted, read?.rows.some(({ messages }) => messages === undefined) ?? false, deps.evaluatorNames);
  const [at, by] = [now(), toAuthorColumn(who)];
  await orm.transaction(async (transaction) => {
    await dropOtherDefault(transaction, id, plan);
    const kept = await transaction
      .update(evaluations)
      .set({ name, repeats, ...plan, revision: current.revision + 1, updated_at: at, updated_by: by })
      .where(and(eq(evaluations.id, id), eq(evaluations.revision, current.revision)))
      .returning({ id: evaluations.id });
    if (kept.length === 0) throw changed(await readEvaluation(transaction, id));
    const row_set_id = read
      ? await insertRowSet(transaction, id, change.source ?? current.source, read.rows)
      : before.row_set_id;
    if (read) await checkStoredBytes(transaction, deps.storedBytes);
    const after = { ...wanted, row_set_id };
    if (findChanges(before, after).length === 0) return;
    const version = current.version + 1;
    if (version > EVALUATION_LIMITS.versions)
      throw new HttpProblem(
        409,
        `It has ${EVALUATION_LIMITS.versions} versions, the most that are kept. Make a new evaluation.`,
        {
          code: 'too_many_versions',
        },
      );
    await insertVersion(transaction, { evaluation_id: id, version, created_at: at, created_by: by }, after);
    await transaction.update(evaluations).set({ version }).where(eq(evaluations.id, id));
  });
  return readEvaluation(orm, id);
}

/** The newest first. Throws HttpProblem 404. */
export async function listVersions(orm: Orm, id: string): Promise<EvaluationVersions> {
  await readEvaluation(orm, id);
  const records = await orm
    .select({ version: versions, row_count: rowSets.row_count })
    .from(versions)
    .innerJoin(rowSets, eq(versions.row_set_id, rowSets.id))
    .where(eq(versions.evaluation_id, id))
    .orderBy(desc(versions.version));
  return {
    versions: records.map(({ version, row_count }, at) => {
      const before = records[at + 1]?.version;
      return {
        version: version.version,
        created_at: version.created_at.toISOString(),
        created_by: version.created_by === '' ? null : version.created_by,
        row_count,
        changed: before ? findChanges(toContent(before), toContent(version)) : [],
      };
    }),
  };
}

/** Throws HttpProblem 404. */
export async function deleteEvaluation(orm: Orm, id: string): Promise<void> {
  const gone = await orm
    .delete(evaluations)
    .where(inArray(evaluations.id, [id]))
    .returning({ id: evaluations.id });
  found(gone[0] ?? null, 'evaluation', id);
}
