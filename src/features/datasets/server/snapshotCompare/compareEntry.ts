// The thread in which two snapshots are compared. It holds some 20 bytes a row of each, and the texts of a block.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { SnapshotComparison } from '#features/datasets/shared/contract/datasets.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toContentHash, toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { pairRows, type RowKeys } from '#features/datasets/shared/pairRows.ts';
import type { SplitHashes } from '#features/datasets/shared/split.ts';
import { inflateBlock, readBlockHashes, readBlockText } from '#features/datasets/server/rows/rowBlocks.ts';
import type { PackedBlock } from '#features/datasets/server/rows/rowStore.ts';
import { readEdited, readSides, type FrozenRecord } from '#features/datasets/server/rows/snapshotFrame.ts';

/** Of the two snapshots. */
export type Which = 'before' | 'after';

export interface CompareThread {
  open(before: FrozenRecord, after: FrozenRecord): Promise<void>;
  /** All blocks of each snapshot, in any order. */
  addHashes(which: readonly Which[], blocks: readonly PackedBlock[]): Promise<void>;
  /**
   * Pairs the rows that are the same. Then the texts of the others are wanted: a byte for each of `firsts`, not 0 where the
   * block holds such a row.
   */
  pairHashes(firsts: { readonly [Each in Which]: Uint32Array }): Promise<{ readonly [Each in Which]: Uint8Array }>;
  addTexts(which: readonly Which[], blocks: readonly PackedBlock[]): Promise<void>;
  finish(): Promise<SnapshotComparison>;
}

interface Snapshot {
  /** By content, then by question. `chosen`: SIDE_CODES of the rows in the snapshot. */
  readonly hashes: SplitHashes;
  readonly keys: RowKeys;
  readonly sides: Uint8Array | null;
  readonly edited: ReadonlyMap<number, string>;
}

function setHash({ places, rests }: RowKeys, position: number, hash: string): void {
  places[position] = Number.parseInt(hash.slice(0, 8), 16);
  rests[position] = Number.parseInt(hash.slice(8), 16);
}

function openSnapshot(record: FrozenRecord): Snapshot {
  const end = record.rows_end;
  const [places, rests] = [new Uint32Array(end), new Uint32Array(end)];
  return {
    hashes: { places, rests, chosen: new Uint8Array(end) },
    keys: { places, rests, left: new Uint8Array(end) },
    sides: readSides(record),
    edited: new Map(readEdited(record)),
  };
}

/** The rows that are in the snapshot, by their content. */
function settle({ hashes: { chosen }, keys, sides, edited }: Snapshot): void {
  if (sides) chosen.set(sides.subarray(0, chosen.length));
  keys.left.set(chosen);
  for (const [position, text] of edited) setHash(keys, position, toContentHash(text));
}

/** Which blocks hold rows that are left. */
function findLeft({ keys: { left } }: Snapshot, firsts: Uint32Array): Uint8Array {
  return Uint8Array.from(firsts, (first, at) =>
    left.subarray(first, firsts[at + 1] ?? left.length).some((each) => each !== 0) ? 1 : 0,
  );
}

function addQuestions({ keys, edited }: Snapshot, { first, body }: PackedBlock): void {
  for (const { position, text } of readBlockText(inflateBlock(body), first)) {
    if ((keys.left[position] ?? 0) === 0) continue;
    setHash(keys, position, toQuestionHash(JSON.parse(edited.get(position) ?? text) as ChatRow));
  }
}

/** Counts positions, and keeps the first ones. */
function openPart<Kept>() {
  const part = { count: 0, positions: [] as Kept[] };
  return {
    part,
    add(position: Kept): void {
      part.count += 1;
      if (part.positions.length < DATA_LIMITS.compared) part.positions.push(position);
    },
  };
}

interface Work {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly moved: ReturnType<typeof openPart<number>>;
  same: number;
}

function begin(before: FrozenRecord, after: FrozenRecord): Work {
  return { before: openSnapshot(before), after: openSnapshot(after), moved: openPart<number>(), same: 0 };
}

const NONE: FrozenRecord = { dataset_id: '', rows_end: 0, sides: null, edited: null };
/** The thread may have more to do after it. */
let work = begin(NONE, NONE);

function toLeft({ keys: { left } }: Snapshot) {
  const { part, add } = openPart<number>();
  for (let at = 0; at < left.length; at += 1) if (left[at] !== 0) add(at);
  return part;
}

answerAsks<CompareThread>(openSide(), {
  async open(before, after) {
    work = begin(before, after);
  },
  async addHashes(which, blocks) {
    for (const { first, body } of blocks) {
      const text = inflateBlock(body);
      // What lies beyond the end of a snapshot is not written.
      for (const each of which) readBlockHashes(text, first, work[each].hashes);
    }
  },
  async pairHashes(firsts) {
    const { before, after, moved } = work;
    settle(before);
    settle(after);
    pairRows(before.keys, after.keys, (one, other) => {
      work.same += 1;
      if (before.hashes.chosen[one] !== after.hashes.chosen[other]) moved.add(other);
    });
    return { before: findLeft(before, firsts.before), after: findLeft(after, firsts.after) };
  },
  async addTexts(which, blocks) {
    for (const block of blocks) for (const each of which) addQuestions(work[each], block);
  },
  async finish() {
    const { before, after, moved, same } = work;
    const changed = openPart<[number, number]>();
    pairRows(before.keys, after.keys, (one, other) => changed.add([one, other]));
    const { count, positions: pairs } = changed.part;
    work = begin(NONE, NONE);
    return {
      same_count: same,
      added: toLeft(after),
      gone: toLeft(before),
      changed: { count, pairs },
      moved: moved.part,
    };
  },
});
