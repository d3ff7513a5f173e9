// What people note of a node of any tree: a name of their own, tags, a star, a text in markdown, archived or not.
// ASSUMED: not in SPEC. Notes are kept by node id, apart from folders and trees, so they are there again when a folder was
// moved (a run's id comes from its content).
import * as z from 'zod/mini';
import { authorSchema, maxCharacters, uuidSchema, wholePairsCheck, wordsSchema } from '#core/contract/schemas.ts';

/** ASSUMED: ours. Characters of a note's name, of one tag and of the text; tags of a note; notes that a studio keeps. */
export const NOTE_LIMITS = { name: 200, tags: 20, tag: 50, text: 20_000, notes: 100_000 } as const;

const noteFields = {
  /** null: the node's own name. */
  name: z.nullable(wordsSchema(NOTE_LIMITS.name)),
  tags: z.array(wordsSchema(NOTE_LIMITS.tag).check(wholePairsCheck)).check(z.maxLength(NOTE_LIMITS.tags)),
  is_starred: z.boolean(),
  is_archived: z.boolean(),
  text: z.string().check(maxCharacters(NOTE_LIMITS.text), z.describe('Markdown.')),
};

export const noteSchema = z.strictObject({
  node_id: uuidSchema,
  ...noteFields,
  revision: z.int().check(z.describe('Counts up with each change.')),
  updated_at: z.string(),
  updated_by: authorSchema,
});

export const noteListSchema = z.strictObject({ notes: z.array(noteSchema) });

/** `PUT /api/v1/studio/notes/{nodeId}`. */
export const noteChangeSchema = z.strictObject({
  ...noteFields,
  revision: z
    .int()
    .check(
      z.minimum(0),
      z.describe('That of the note that was changed; 0: there was none. Another one is answered 409.'),
    ),
});

export type Note = z.infer<typeof noteSchema>;
/** By node id. */
export type Notes = ReadonlyMap<string, Note>;
export type NoteChange = z.infer<typeof noteChangeSchema>;

/** A note that says nothing: the same as none. */
export function isEmptyNote({ name, tags, is_starred, is_archived, text }: Omit<NoteChange, 'revision'>): boolean {
  return name === null && tags.length === 0 && !is_starred && !is_archived && text === '';
}
