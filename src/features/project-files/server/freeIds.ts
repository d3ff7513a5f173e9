// Whether the ids and names of an imported project are free in this studio.
import { setImmediate as rest } from 'node:timers/promises';
import { eq, isNotNull, isNull } from 'drizzle-orm';
import { toNames } from '#engine/modelNames.ts';
import { findTakenIds } from '#features/datasets/server/importing/nodeIds.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, models, projects, REMOVED } from '#service/database/tables.ts';
import type { TakenNames } from './sanitizeRecords.ts';
import { BATCH } from './batch.ts';
import type { FileItem } from './fileRecords.ts';
import { TransferProblem } from './transferProblem.ts';

const conflict = (code: string, message: string, project?: TransferProblem['project']): TransferProblem =>
  new TransferProblem(409, code, `${message} Nothing was imported.`, { param: 'ids', ...(project && { project }) });

export const idsTaken = (): TransferProblem =>
  conflict('ids_taken', 'Ids of this file are taken in this studio by something else. Import a copy with new ids.');

/** A project of this id is here: shown, deleted less than a day ago, or being imported or removed. */
async function checkFree(orm: Orm, id: string): Promise<void> {
  const [found] = await orm.select().from(projects).where(eq(projects.id, id));
  if (!found) return;
  const { name, deleted_at } = found;
  if (deleted_at === null)
    throw conflict(
      'project_exists',
      `The project "${name}" of this file is in this studio already. Import a copy with new ids, or delete it first.`,
      { id, name },
    );
  if (deleted_at >= REMOVED)
    throw conflict(
      'project_being_imported',
      'This project is being imported or removed now. Wait until that has ended.',
    );
  throw conflict(
    'project_deleted',
    `The project "${name}" was deleted from this studio and can still be restored. Restore it, or import a copy with new ids.`,
  );
}

/** Throws TransferProblem if a node among the records has the id of one that is here, of whatever kind. */
export type IdCheck = (items: readonly FileItem[]) => Promise<void>;

/** `listOthers`: nodes that are not in the database. */
export function openIdCheck(orm: Orm, listOthers: () => Promise<ReadonlySet<string>>): IdCheck {
  let others: ReadonlySet<string> | null = null;
  return async (items) => {
    for (const item of items) if (item.kind === 'project') await checkFree(orm, item.id);
    const own = items.flatMap((item) => ('id' in item && item.kind !== 'model' ? [item.id] : []));
    if (own.length === 0) return;
    others ??= await listOthers();
    for (const id of own) if (others.has(id)) throw idsTaken();
    for (let at = 0; at < own.length; at += BATCH)
      if ((await findTakenIds(orm, own.slice(at, at + BATCH))).length > 0) throw idsTaken();
      else await rest();
  };
}

/**
 * The names that a model of an import can't get: those of all models, also of projects that can be restored, and those that
 * runs have whose model is not here.
 */
export async function readTakenNames(orm: Orm, readNames: () => Promise<TakenNames>): Promise<TakenNames> {
  const { names, isComplete } = await readNames();
  const listed = await orm.select({ id: models.id, aliases: models.aliases }).from(models);
  const ofRuns = await orm
    .selectDistinct({ id: experiments.model_id })
    .from(experiments)
    .where(isNotNull(experiments.model_id));
  const more = [...listed.flatMap(toNames), ...ofRuns.flatMap(({ id }) => id ?? [])];
  return { names: new Set([...names, ...more]), isComplete };
}

/** A name that no other project has. */
export async function toFreeName(orm: Orm, name: string): Promise<string> {
  const rows = await orm.select({ name: projects.name }).from(projects).where(isNull(projects.deleted_at));
  const taken = new Set(rows.map((row) => row.name));
  if (!taken.has(name)) return name;
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? `${name} (copy)` : `${name} (copy ${number})`;
    if (!taken.has(next)) return next;
  }
}

export const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  /duplicate key|unique constraint/i.test(
    `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`,
  );
