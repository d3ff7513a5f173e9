// What people note of nodes.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { noteChangeSchema, noteListSchema, noteSchema } from './notes.ts';

export const NOTES = defineEndpoints(
  { tag: 'Projects' },
  {
    // ASSUMED: not in SPEC. Only a local studio keeps notes.
    listNotes: {
      method: 'GET',
      path: '/api/v1/studio/notes',
      title: 'List the notes on nodes',
      about:
        'Names, tags, stars and texts that people gave to nodes of any project. Not in SPEC: a gateway answers 404.',
      answer: { NoteList: noteListSchema },
      says: 'All notes.',
      isTagged: true,
      load: 'page',
    },
    saveNote: {
      method: 'PUT',
      path: '/api/v1/studio/notes/{nodeId}',
      title: 'Note something of a node',
      about:
        'Replaces the note of a project, dataset, snapshot, job or experiment; an empty note is deleted, and answered ' +
        '`null`. 409: somebody changed the note since it was read, and `error.current` is that note. Not in SPEC: a gateway answers 404.',
      body: { NoteChange: noteChangeSchema },
      // A text of 20,000 characters, escaped, with the rest.
      bodyBytes: 256 * 1024,
      answer: { Note: noteSchema },
      isNullable: true,
      says: 'Saved; null after an empty note.',
      failures: [409],
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly notes: typeof NOTES;
  }
}
