// The notes of people on nodes, by node id.
import { eq, gt, sql } from 'drizzle-orm';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { isEmptyNote, type Note, type NoteChange } from '#features/notes/shared/notes.ts';
import { findRefusal } from '#features/training/shared/parityRefusal.ts';
import { toAuthorColumn, toAuthorField } from '#service/database/author.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, notes } from '#service/database/tables.ts';

/** `note` is null after a change to an empty note. `changed`: the revision was another; `note` is what stands now. */
export type NoteResult =
  | { readonly kind: 'saved' | 'changed'; readonly note: Note | null }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly reason: string };

function toNote(row: typeof notes.$inferSelect): Note {
  const { body, updated_at, updated_by, ...rest } = row;
  return { ...rest, text: body, updated_at: updated_at.toISOString(), ...toAuthorField(updated_by) };
}

/** Notes that are read at a time: a studio may keep a hundred thousand, and others have their turn between. */
const PAGE = 2_000;

/** All notes, in the order of their ids. */
export async function listNotes(orm: Orm): Promise<readonly Note[]> {
  const all: Note[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await orm
      .select()
      .from(notes)
      .where(last && gt(notes.node_id, last.node_id))
      .orderBy(notes.node_id)
      .limit(PAGE);
    all.push(...page.map(toNote));
    if (page.length < PAGE) return all;
  }
}

/** Texts without the NUL character, which PostgreSQL refuses, and tags each once. */
function toClean({ name, tags, text, ...rest }: NoteChange): NoteChange {
  const strip = (value: string): string => value.replaceAll('\0', '');
  return { ...rest, name: name && strip(name), tags: [...new Set(tags.map(strip))], text: strip(text) };
}

/** When, and with whose token; null: the owner's. */
export interface Authorship {
  readonly now: Date;
  readonly who: string | null;
}

/** Saves a note unless another change came first. An empty note is deleted. */
export async function saveNote(
  orm: Orm,
  nodeId: string,
  change: NoteChange,
  { now, who }: Authorship,
): Promise<NoteResult> {
  const { name, tags, is_starred, is_archived, text, revision } = toClean(change);
  return orm.transaction(async (transaction) => {
    // One writer of a note at a time, also where there is no row yet to lock.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${nodeId}, 0))`);
    const [old] = await transaction.select().from(notes).where(eq(notes.node_id, nodeId));
    if ((old?.revision ?? 0) !== revision) return { kind: 'changed', note: old ? toNote(old) : null };
    if (is_starred && !old?.is_starred) {
      const [run] = await transaction.select().from(experiments).where(eq(experiments.id, nodeId));
      const reason = findRefusal(run?.settings?.parity);
      if (reason !== null) return { kind: 'refused', reason };
    }
    if (isEmptyNote({ name, tags, is_starred, is_archived, text })) {
      await transaction.delete(notes).where(eq(notes.node_id, nodeId));
      return { kind: 'saved', note: null };
    }
    if (!old && (await transaction.$count(notes)) >= NOTE_LIMITS.notes) return { kind: 'full' };
    const fields = {
      name,
      tags: [...tags],
      is_starred,
      is_archived,
      body: text,
      revision: revision + 1,
      updated_at: now,
      updated_by: toAuthorColumn(who),
    };
    const [saved] = await transaction
      .insert(notes)
      .values({ node_id: nodeId, ...fields })
      .onConflictDoUpdate({ target: notes.node_id, set: fields })
      .returning();
    return { kind: 'saved', note: saved ? toNote(saved) : null };
  });
}
