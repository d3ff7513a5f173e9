// The notes of people on nodes.
import { noteChangeSchema } from '#features/notes/shared/notes.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { sendTagged } from '#service/http/etag.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendJson, uuidParam, type Route } from '#service/http/route.ts';
import { readBody } from '#service/http/parsedBody.ts';

/** A text of 20,000 characters, escaped, with the rest. */
const NOTE_BYTES = 256 * 1024;

/** The route table's part for notes. `onSave` is called after each change. */
export function toNoteRoutes(studio: Pick<Studio, 'listNotes' | 'saveNote'>, onSave: () => void): readonly Route[] {
  return [
    {
      method: 'GET',
      path: ROUTES.notes,
      load: 'page',
      handle: async (context) =>
        sendTagged(JSON.stringify({ notes: await studio.listNotes() }), context.req.header('If-None-Match')),
    },
    {
      method: 'PUT',
      path: ROUTES.note,
      async handle(context) {
        const id = uuidParam(context, 'nodeId');
        const result = await studio.saveNote(id, await readBody(context, noteChangeSchema, NOTE_BYTES));
        if (result.kind === 'full')
          throw new HttpProblem(400, 'This studio keeps no more notes. Delete some: save them empty.', {
            code: 'too_many_notes',
          });
        if (result.kind === 'refused')
          throw new HttpProblem(
            409,
            `This run can't be starred. ${result.reason} Train it again, or star another run.`,
            { param: 'is_starred', code: 'export_lost_answers' },
          );
        if (result.kind === 'changed')
          throw new HttpProblem(
            409,
            'Somebody changed this note since it was read. Read it again, and save what should stand.',
            { param: 'revision', code: 'note_changed' },
          );
        onSave();
        return sendJson(result.note);
      },
    },
  ];
}
