// The routes of the presets and training examples that people keep.
import { LIBRARY } from '#features/playground/shared/libraryEndpoints.ts';
import type { LibraryItem } from '#features/playground/shared/library.ts';
import type { Database } from '#service/database/database.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { whoOf, type Route } from '#service/http/route.ts';
import { deleteItem, listItems, saveItem } from './library.ts';

const changed = (current: LibraryItem | null): HttpProblem =>
  new HttpProblem(
    409,
    current === null
      ? 'Somebody deleted it since it was read. Save it with revision 0 to bring it back.'
      : 'Somebody changed it since it was read. `current` is what stands now: save what should stand, with its revision.',
    { param: 'revision', code: 'item_changed', current },
  );

export interface LibraryDeps {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  readonly now: () => Date;
}

export function toLibraryRoutes({ database: { orm, guard }, now }: LibraryDeps): readonly Route[] {
  return [
    toRoute(LIBRARY.listLibrary, async ({ params: { kind } }) => ({
      items: [...(await guard(() => listItems(orm, kind)))],
    })),
    toRoute(LIBRARY.saveLibraryItem, async ({ params: { kind, itemId }, body, context }) => {
      const result = await guard(() => saveItem(orm, kind, itemId, body, { now: now(), who: whoOf(context) }));
      if (result.kind === 'changed') throw changed(result.item);
      if (result.kind === 'full')
        throw new HttpProblem(400, `This studio keeps no more ${kind}s. Delete some, then save it again.`, {
          code: 'library_full',
        });
      return result.item;
    }),
    toRoute(LIBRARY.deleteLibraryItem, async ({ params: { kind, itemId }, query: { revision } }) => {
      const result = found(await guard(() => deleteItem(orm, kind, itemId, revision)), kind, itemId, 'itemId');
      if (result.kind === 'changed') throw changed(result.item);
    }),
  ];
}
