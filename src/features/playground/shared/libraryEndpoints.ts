// The library of a studio: presets and training examples, for all who use it.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import {
  itemChangeSchema,
  itemDeletionSchema,
  itemIdSchema,
  libraryItemSchema,
  libraryKindSchema,
  libraryListSchema,
} from './library.ts';

const ofKind = { kind: libraryKindSchema };
const ofItem = { ...ofKind, itemId: itemIdSchema };
const CHANGED = '409: somebody changed it since it was read, and `error.current` is what stands now.';

export const LIBRARY = defineEndpoints(
  { tag: 'Chat', source: 'Not in SPEC: a gateway answers 404.' },
  {
    listLibrary: {
      method: 'GET',
      path: '/api/v1/studio/library/{kind}',
      params: ofKind,
      title: 'List the presets or the training examples',
      answer: { LibraryList: libraryListSchema },
      says: 'All of the kind, the oldest first.',
      isTagged: true,
      load: 'page',
    },
    saveLibraryItem: {
      method: 'PUT',
      path: '/api/v1/studio/library/{kind}/{itemId}',
      params: ofItem,
      title: 'Save a preset or a training example',
      about: CHANGED,
      body: { LibraryItemChange: itemChangeSchema },
      // A content of 500,000 characters, each escaped as two halves.
      bodyBytes: 7 * 1024 * 1024,
      answer: { LibraryItem: libraryItemSchema },
      says: 'Saved.',
      // A browser moves what it kept by itself, up to thousands at once; each has its author and time.
      isQuiet: true,
      failures: [409],
    },
    deleteLibraryItem: {
      method: 'DELETE',
      path: '/api/v1/studio/library/{kind}/{itemId}',
      params: ofItem,
      title: 'Delete a preset or a training example',
      about: CHANGED,
      query: itemDeletionSchema,
      says: 'Deleted.',
      isQuiet: true,
      failures: [404, 409],
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly library: typeof LIBRARY;
  }
}
