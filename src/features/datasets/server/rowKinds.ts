// Which kinds of rows a snapshot has, and so what a training may learn from them.
import type { ChatRow } from '#core/rows/chatRow.ts';
import type { Database } from '#service/database/database.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';

const PAGE = 512;

/** Whether training rows of each kind were seen: conversations, pairs of answers, answers with a label. */
export interface RowKinds {
  chats: boolean;
  pairs: boolean;
  labels: boolean;
}

/** Parsing costs more than reading: most rows are conversations, whose text holds neither name. */
const MAY_COMPARE = /"(?:rejected|label)":/;

function addKind(kinds: RowKinds, text: string): void {
  const { rejected, label }: Partial<ChatRow> = MAY_COMPARE.test(text) ? (JSON.parse(text) as ChatRow) : {};
  if (rejected !== undefined) kinds.pairs = true;
  else if (label !== undefined) kinds.labels = true;
  else kinds.chats = true;
}

/** Reads training rows until `isEnough`, or `most` places of the dataset were looked at. null: there is no such snapshot. */
export async function findRowKinds(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  snapshotId: string,
  isEnough: (kinds: RowKinds) => boolean,
  most = Infinity,
): Promise<RowKinds | null> {
  const frame = await guard(() => readFrame(orm, snapshotId));
  if (!frame) return null;
  const kinds = { chats: false, pairs: false, labels: false };
  for (let from = 0; from < Math.min(most, frame.rows_end) && !isEnough(kinds);) {
    const range = { from, end: from + PAGE };
    const { rows, next } = await guard(() => readSnapshotPage(orm, frame, range, 'training'));
    for (const { body } of rows) addKind(kinds, body);
    from = next;
  }
  return kinds;
}
