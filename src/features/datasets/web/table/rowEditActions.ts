// Sets rows aside, tags and edits them, each with Undo.
import type { QueryClient } from '@tanstack/react-query';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { MarksRequest, RowMarks } from '#features/datasets/shared/contract/rows.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { markRows } from '#features/datasets/web/api/rowQueries.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';

/** What rows are changed by one request. */
export function toChunks<T>(list: readonly T[], size: number = DATA_LIMITS.marks): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

export interface RowChanges {
  readonly client: QueryClient;
  readonly datasetId: string;
  readonly connection?: Connection;
}

function tell(what: string, error: unknown): void {
  const { detail, hint } = toErrorWords(error instanceof Error ? error : new Error(String(error)));
  showToast(`${what} ${detail} ${hint}`, { tone: 'error' });
}

/** Sends requests one after the other. `done` gets how many rows changed. False: one failed; those before it can be undone. */
async function change(
  { client, datasetId, connection = SAME_ORIGIN }: RowChanges,
  requests: readonly MarksRequest[],
  toText: (changed: number) => string,
): Promise<boolean> {
  let changed = 0;
  const before: RowMarks[] = [];
  let isDone = true;
  for (const request of requests) {
    try {
      const made = await markRows(client, datasetId, request, connection);
      changed += made.changed;
      before.push(...made.undo.rows);
    } catch (error) {
      tell(changed === 0 ? 'Nothing was changed.' : `Only ${formatCounted(changed, 'row')} changed.`, error);
      isDone = false;
      break;
    }
  }
  if (changed === 0) {
    if (isDone) showToast('Nothing changed: the rows were already like that.');
    return isDone;
  }
  const undo = async (): Promise<void> => {
    try {
      let kept = 0;
      for (const rows of toChunks(before))
        kept += (await markRows(client, datasetId, { change: 'restore', rows: [...rows] }, connection)).kept;
      showToast(
        kept === 0 ? 'Undone.' : `Undone, but for ${formatCounted(kept, 'row')} that others have edited since.`,
      );
    } catch (error) {
      tell('It was not undone.', error);
    }
  };
  showToast(toText(changed), { action: { label: 'Undo', onSelect: () => void undo() } });
  return isDone;
}

/** Rows that are set aside stay in the dataset and come into no snapshot. */
export const setAside = (target: RowChanges, positions: readonly number[], isAside: boolean): Promise<boolean> =>
  change(
    target,
    toChunks(positions).map((part) => ({ change: 'set_aside', positions: [...part], is_set_aside: isAside })),
    (changed) =>
      isAside ? `Set ${formatCounted(changed, 'row')} aside.` : `Put ${formatCounted(changed, 'row')} back.`,
  );

/** Removes nulls that tables put into calls and tools. */
export const cleanRows = (target: RowChanges, positions: readonly number[]): Promise<boolean> =>
  change(
    target,
    toChunks(positions).map((part) => ({ change: 'clean_nulls', positions: [...part] })),
    (changed) => `Removed the nulls of ${formatCounted(changed, 'row')}.`,
  );

export const tagRows = (
  target: RowChanges,
  positions: readonly number[],
  tag: string,
  isTagged: boolean,
): Promise<boolean> =>
  change(
    target,
    toChunks(positions).map((part) => ({ change: 'tag', positions: [...part], tag, is_tagged: isTagged })),
    (changed) =>
      isTagged
        ? `Tagged ${formatCounted(changed, 'row')} ${tag}.`
        : `Removed the tag ${tag} from ${formatCounted(changed, 'row')}.`,
  );

/** `row` null: as it was imported. */
export const editRow = (target: RowChanges, position: number, row: JsonObject | null): Promise<boolean> =>
  change(target, [{ change: 'edit', position, row: row === null ? null : { ...row } }], () =>
    row === null ? 'The row is as it was imported.' : 'Edited the row. Its line stays as it was imported.',
  );
