// Whether the ids and the name of an imported project are free in this studio.
import { eq, isNull } from 'drizzle-orm';
import type { Orm } from '#server/studio/database.ts';
import { INCOMPLETE, projects } from '#server/studio/tables.ts';
import { TransferProblem } from './transferProblem.ts';

const alreadyHere = (name: string, id: string): TransferProblem =>
  new TransferProblem(
    409,
    'project_exists',
    `The project "${name}" of this file is in this studio already. Import a copy with new ids, or delete it first. ` +
      'Nothing was imported.',
    { param: 'ids', project: { id, name } },
  );

export const idsTaken = (): TransferProblem =>
  new TransferProblem(
    409,
    'ids_taken',
    'Ids of this file are taken in this studio by something else. Import a copy with new ids. Nothing was imported.',
    { param: 'ids' },
  );

/** A project of this id is here: shown, deleted less than a day ago, or being imported. */
export async function checkFree(orm: Orm, id: string): Promise<void> {
  const [found] = await orm.select().from(projects).where(eq(projects.id, id));
  if (!found) return;
  if (found.deleted_at?.getTime() === INCOMPLETE.getTime())
    throw new TransferProblem(
      409,
      'project_being_imported',
      'This project is being imported now. Wait until that has ended. Nothing was imported.',
      { param: 'ids' },
    );
  if (found.deleted_at === null) throw alreadyHere(found.name, id);
  throw new TransferProblem(
    409,
    'project_deleted',
    `The project "${found.name}" was deleted from this studio and can still be restored. Restore it, or import a copy with ` +
      'new ids. Nothing was imported.',
    { param: 'ids' },
  );
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
