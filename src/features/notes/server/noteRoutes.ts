// The notes of people on nodes.
import { NOTES } from '#features/notes/shared/noteEndpoints.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { whoOf, type Route } from '#service/http/route.ts';

/** The route table's part for notes. `onSave` is called after each change. */
export function toNoteRoutes(studio: Pick<Studio, 'listNotes' | 'saveNote'>, onSave: () => void): readonly Route[] {
  return [
    toRoute(NOTES.listNotes, async () => ({ notes: await studio.listNotes() })),
    toRoute(NOTES.saveNote, async ({ params, body, context }) => {
      const result = await studio.saveNote(params.nodeId, body, whoOf(context));
      if (result.kind === 'full')
        throw new HttpProblem(400, 'This studio keeps no more notes. Delete some: save them empty.', {
          code: 'too_many_notes',
        });
      if (result.kind === 'refused')
        throw new HttpProblem(409, `This run can't be starred. ${result.reason} Train it again, or star another run.`, {
          param: 'is_starred',
          code: 'export_lost_answers',
        });
      if (result.kind === 'changed')
        throw new HttpProblem(
          409,
          'Somebody changed this note since it was read. `current` is what stands now: save what should stand, with its ' +
            'revision.',
          { param: 'revision', code: 'note_changed', current: result.note },
        );
      onSave();
      return result.note;
    }),
  ];
}
