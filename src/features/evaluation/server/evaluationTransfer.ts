// Evaluations out of a studio and into another one, in the file of their project.
import { asc, eq } from 'drizzle-orm';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationSettings, RowSource } from '#features/evaluation/shared/contract/evaluations.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { evaluations, rowSets, versions } from './evaluationTables.ts';
import { toStoredRow } from './evaluationRows.ts';
import { BLOCK_ROWS, insertRowSet, readRows } from './rowSets.ts';
import { insertVersion, toContent } from './versions.ts';

interface EvaluationItem {
  readonly kind: 'evaluation';
  readonly id: string;
  readonly project_id: string;
  readonly dataset_id: string | null;
  readonly name: string;
  readonly is_default: boolean;
  readonly version: number;
  readonly models: string[];
  readonly repeats: number;
  readonly baseline: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface RowsItem {
  readonly kind: 'evaluation-rows';
  readonly evaluation_id: string;
  readonly set: number;
  readonly source: RowSource;
  readonly first: number;
  readonly rows: EvaluationRow[];
}

interface VersionItem {
  readonly kind: 'evaluation-version';
  readonly evaluation_id: string;
  readonly set: number;
  readonly version: number;
  readonly prompt: string | null;
  readonly system: string | null;
  readonly checks: EvaluationCheck[];
  readonly settings: EvaluationSettings;
  readonly created_at: string;
}

export type EvaluationTransferItem = EvaluationItem | RowsItem | VersionItem;

/** Characters of the rows of one item. */
const ITEM_TEXT = 4 * 1024 * 1024;

async function* readSet(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  evaluation_id: string,
  set: number,
  id: string,
): AsyncGenerator<RowsItem> {
  const [found] = await guard(async () => orm.select().from(rowSets).where(eq(rowSets.id, id)));
  if (!found) return;
  const { source, row_count } = found;
  const toItem = (first: number, rows: EvaluationRow[]): RowsItem => ({
    kind: 'evaluation-rows',
    evaluation_id,
    set,
    source,
    first,
    rows,
  });
  let [first, length] = [0, 0];
  let rows: EvaluationRow[] = [];
  for (let from = 0; from < row_count; from += BLOCK_ROWS)
    for (const { position, ...row } of await guard(() => readRows(orm, id, from, from + BLOCK_ROWS))) {
      if (length >= ITEM_TEXT) {
        yield toItem(first, rows);
        [first, length, rows] = [position, 0, []];
      }
      rows.push(row);
      length += JSON.stringify(row).length;
    }
  yield toItem(first, rows);
}

/** Those of a project, the oldest first. `datasets`: those of the file. */
export async function* readEvaluationItems(
  database: Pick<Database, 'orm' | 'guard'>,
  projectId: string,
  datasets: { has(id: string): boolean },
): AsyncGenerator<EvaluationTransferItem> {
  const { orm, guard } = database;
  const found = await guard(async () =>
    orm.select().from(evaluations).where(eq(evaluations.project_id, projectId)).orderBy(asc(evaluations.created_at)),
  );
  for (const { id, project_id, dataset_id, name, is_default, version, models, repeats, baseline, ...at } of found) {
    const own = dataset_id !== null && datasets.has(dataset_id) ? dataset_id : null;
    const fields = { name, version, models: [...models], repeats, baseline };
    yield {
      kind: 'evaluation',
      id,
      project_id,
      dataset_id: own,
      is_default: is_default && own !== null,
      ...fields,
      created_at: at.created_at.toISOString(),
      updated_at: at.updated_at.toISOString(),
    };
    const sets = new Map<string, number>();
    const all = await guard(async () =>
      orm.select().from(versions).where(eq(versions.evaluation_id, id)).orderBy(asc(versions.version)),
    );
    for (const each of all) {
      const { row_set_id, prompt, system, checks, settings } = toContent(each);
      const set = sets.get(row_set_id) ?? sets.size;
      if (!sets.has(row_set_id)) yield* readSet(database, id, set, row_set_id);
      sets.set(row_set_id, set);
      yield {
        kind: 'evaluation-version',
        evaluation_id: id,
        set,
        version: each.version,
        prompt,
        system,
        checks: [...checks],
        settings,
        created_at: each.created_at.toISOString(),
      };
    }
  }
}

export interface EvaluationImport {
  /** Throws what `refuse` gives. */
  take(item: EvaluationTransferItem): Promise<void>;
  /** The last evaluation is whole. */
  end(): Promise<void>;
}

interface ImportOptions {
  readonly write: (work: (orm: Orm) => Promise<void>) => Promise<void>;
  /** The id of a node here, by its id in the file. */
  readonly toId: (id: string) => string;
  readonly refuse: (message: string) => Error;
}

/** Rows of a set are held until they are all there. */
export function openEvaluationImport({ write, toId, refuse }: ImportOptions): EvaluationImport {
  let open: EvaluationItem | null = null;
  let held: RowsItem | null = null;
  let sets = new Map<number, string>();
  let known = new Set<number>();

  async function storeSet(): Promise<void> {
    if (held === null || open === null) return;
    const { set, source, rows } = held;
    held = null;
    if (sets.has(set)) throw refuse(`An evaluation has the set of rows ${set} twice.`);
    const placed = source.kind === 'snapshot' ? { ...source, snapshot_id: toId(source.snapshot_id) } : source;
    const id = toId(open.id);
    try {
      const stored = rows.map(toStoredRow);
      await write(async (orm) => {
        sets.set(set, await insertRowSet(orm, id, placed, stored));
      });
    } catch (error) {
      // What no studio takes of rows.
      throw error instanceof HttpProblem && error.param !== null ? refuse(error.message) : error;
    }
  }

  async function end(): Promise<void> {
    await storeSet();
    if (open !== null && !known.has(open.version))
      throw refuse(`The evaluation ${open.name} has no version ${open.version}.`);
    open = null;
  }

  async function begin(item: EvaluationItem): Promise<void> {
    await end();
    [open, sets, known] = [item, new Map(), new Set()];
    const { kind: _kind, id, project_id, dataset_id, created_at, updated_at, ...fields } = item;
    await write(async (orm) => {
      await orm.insert(evaluations).values({
        id: toId(id),
        project_id: toId(project_id),
        dataset_id: dataset_id === null ? null : toId(dataset_id),
        ...fields,
        revision: 1,
        created_at: new Date(created_at),
        created_by: '',
        updated_at: new Date(updated_at),
        updated_by: '',
      });
    });
  }

  async function addRows(item: RowsItem): Promise<void> {
    if (held !== null && held.set !== item.set) await storeSet();
    const next = held?.rows.length ?? 0;
    if (item.first !== next) throw refuse(`Rows of an evaluation go on at ${item.first}, not at ${next}.`);
    if (next + item.rows.length > EVALUATION_LIMITS.rows)
      throw refuse(`An evaluation has more than ${EVALUATION_LIMITS.rows.toLocaleString('en')} rows.`);
    held = { ...item, rows: [...(held?.rows ?? []), ...item.rows] };
  }

  async function addVersion(item: VersionItem): Promise<void> {
    await storeSet();
    const { evaluation_id, version, set, prompt, system, checks, settings, created_at } = item;
    const row_set_id = sets.get(set);
    if (row_set_id === undefined)
      throw refuse(`A version of an evaluation names the set of rows ${set}, which is not there.`);
    if (known.has(version)) throw refuse(`An evaluation has its version ${version} twice.`);
    known.add(version);
    const place = { evaluation_id: toId(evaluation_id), version, created_at: new Date(created_at), created_by: '' };
    await write(async (orm) => {
      await insertVersion(orm, place, { row_set_id, prompt, system, checks, settings });
    });
  }

  return {
    async take(item) {
      if (item.kind === 'evaluation') await begin(item);
      else await (item.kind === 'evaluation-rows' ? addRows(item) : addVersion(item));
    },
    end,
  };
}
