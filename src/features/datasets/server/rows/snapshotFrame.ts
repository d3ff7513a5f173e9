// Which rows a snapshot holds, on which sides and with which texts. A snapshot that was made here has a byte for each
// row; one of the sample holds the rows of its dataset below a position, on the sides that they were given.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { SIDE_CODES } from '#features/datasets/shared/split.ts';
import type { Orm } from '#service/database/database.ts';
import { snapshotRows, snapshots } from '#service/database/tables.ts';
import type { PlacedRow } from './rowBlocks.ts';
import { readRowPage, type PageOf, type Positions } from './rowStore.ts';

/** What the database keeps of a snapshot: texts, which are deflated. */
export interface FrozenRecord {
  readonly dataset_id: string;
  readonly rows_end: number;
  readonly sides: string | null;
  readonly edited: string | null;
}

export interface SnapshotFrame {
  readonly dataset_id: string;
  /** Positions from here on are not in the snapshot. */
  readonly rows_end: number;
  /** null: the row is not in the snapshot. */
  sideOf(row: PlacedRow): RowBucket | null;
  /** The text that a row had when the snapshot was made, if it was edited. */
  editedText(position: number): string | undefined;
}

export interface SnapshotRow {
  readonly position: number;
  readonly bucket: RowBucket;
  /** The chat row as JSON. */
  readonly body: string;
  readonly hash: string;
}

/** What a snapshot is made of: a byte for each row, and texts of edited rows with their hashes. */
export interface FrozenRows {
  readonly sides: Uint8Array;
  readonly edited: readonly (readonly [position: number, text: string])[];
}

const toBase64 = (bytes: Uint8Array): string => deflateRawSync(bytes).toString('base64');

export async function insertFrozenRows(orm: Orm, snapshot_id: string, { sides, edited }: FrozenRows): Promise<void> {
  await orm.insert(snapshotRows).values({
    snapshot_id,
    sides: toBase64(sides),
    edited: edited.length === 0 ? null : toBase64(Buffer.from(JSON.stringify(edited))),
  });
}

const inflate = (text: string): Buffer => inflateRawSync(Buffer.from(text, 'base64'));

function toSideName(byte: number | undefined): RowBucket | null {
  if (byte === SIDE_CODES.training) return 'training';
  return byte === SIDE_CODES.validation ? 'validation' : null;
}

/** null: there is no such snapshot. */
export async function readFrozenRecord(orm: Orm, snapshotId: string): Promise<FrozenRecord | null> {
  const [found] = await orm
    .select({
      dataset_id: snapshots.dataset_id,
      rows_end: snapshots.rows_end,
      sides: snapshotRows.sides,
      edited: snapshotRows.edited,
    })
    .from(snapshots)
    .leftJoin(snapshotRows, eq(snapshotRows.snapshot_id, snapshots.id))
    .where(eq(snapshots.id, snapshotId));
  return found ?? null;
}

/** A byte for each row (SIDE_CODES); null: its bucket decides. */
export const readSides = ({ sides }: FrozenRecord): Uint8Array | null => (sides === null ? null : inflate(sides));

/** The texts that rows had when the snapshot was made, of those that were edited. */
export const readEdited = ({ edited }: FrozenRecord): FrozenRows['edited'] =>
  edited === null ? [] : (JSON.parse(inflate(edited).toString()) as [number, string][]);

function openFrame(record: FrozenRecord): SnapshotFrame {
  const { dataset_id, rows_end } = record;
  const sides = readSides(record);
  const edited = new Map(readEdited(record));
  return {
    dataset_id,
    rows_end,
    sideOf: ({ position, bucket }) =>
      position >= rows_end ? null : sides === null ? bucket : toSideName(sides[position]),
    editedText: (position) => edited.get(position),
  };
}

/** null: there is no such snapshot. */
export async function readFrame(orm: Orm, snapshotId: string): Promise<SnapshotFrame | null> {
  const record = await readFrozenRecord(orm, snapshotId);
  return record && openFrame(record);
}

/** The first rows of a snapshot in a range, of one side or both: those of a few blocks (see readRowPage). */
export async function readSnapshotPage(
  orm: Orm,
  frame: SnapshotFrame,
  range: Positions,
  bucket?: RowBucket,
): Promise<PageOf<SnapshotRow>> {
  const end = Math.min(range.end, frame.rows_end);
  const page = await readRowPage(orm, frame.dataset_id, { from: range.from, end });
  const rows = page.rows.flatMap((row) => {
    const side = frame.sideOf(row);
    if (side === null || (bucket !== undefined && side !== bucket)) return [];
    const { position, text, hash } = row;
    const edited = frame.editedText(position);
    return [
      { position, bucket: side, body: edited ?? text, hash: edited === undefined ? hash : toContentHash(edited) },
    ];
  });
  return { rows, next: page.next };
}
