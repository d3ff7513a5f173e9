// Cuts bytes of Arrow's IPC format into its messages. A file of that format is a stream between two marks with a table
// of contents, which isn't needed. Source: https://arrow.apache.org/docs/format/Columnar.html, format/Message.fbs.

/** Says of a file that it can't be read as Arrow, and why, as sentences. */
export class ArrowProblem extends Error {}

export interface ArrowMessage {
  readonly kind: 'schema' | 'dictionary' | 'rows';
  /** All of it, with its body aligned. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of a dictionary: which one, and whether it adds to what was there. */
  readonly id: bigint;
  readonly isDelta: boolean;
}

export interface MessageCutter {
  /** Messages that are whole now. Throws ArrowProblem. */
  push(chunk: Uint8Array): readonly ArrowMessage[];
  /** Throws ArrowProblem if the end is missing. */
  end(): void;
}

const MOST_MIB = 512;
const MAX_HEAD_BYTES = 16 * 2 ** 20;
const FILE_MARK = 'ARROW1';
/** The mark of a file is padded to so many bytes. */
const MARK_BYTES = 8;
const KINDS = [null, 'schema', 'dictionary', 'rows'] as const;

const damaged = (what: string): ArrowProblem => new ArrowProblem(`The Arrow file is damaged (${what}). Copy it again.`);

/** A table of a FlatBuffer: where a field of it stands; null if it has none. */
function openTable(view: DataView, at: number): (slot: number) => number | null {
  const table = at + view.getInt32(at, true);
  const fields = table - view.getInt32(table, true);
  const size = view.getUint16(fields, true);
  return (slot) => {
    const offset = slot < size ? view.getUint16(fields + slot, true) : 0;
    return offset === 0 ? null : table + offset;
  };
}

/** The number of entries of a list. Throws if there is no room for them: its reader would read them all. */
function checkList(view: DataView, at: number | null, entryBytes: number): number {
  if (at === null) return 0;
  const count = view.getInt32(at + view.getInt32(at, true), true);
  if (count < 0 || count * entryBytes > view.byteLength) throw new RangeError('a list of impossible length');
  return count;
}

/** Throws if an entry of a list begins with a number that is too large. */
function checkNumbers(view: DataView, at: number | null, entryBytes: number, most: number): void {
  const count = checkList(view, at, entryBytes);
  const first = at === null ? 0 : at + view.getInt32(at, true) + 4;
  for (let entry = 0; entry < count; entry += 1) {
    const number = view.getBigInt64(first + entryBytes * entry, true);
    if (number < 0n || number > BigInt(most)) throw new RangeError(`a list of ${number}`);
  }
}

/** Values of a dictionary: all of them are read at once. */
const MAX_DICTIONARY = 1_000_000;

/** Throws if a batch claims what is not there. */
function checkBatch(view: DataView, batch: (slot: number) => number | null, isDictionary: boolean): void {
  checkNumbers(view, batch(6), 16, isDictionary ? MAX_DICTIONARY : Number.MAX_SAFE_INTEGER);
  const buffers = checkList(view, batch(8), 16);
  // Columns of views say how many buffers they have.
  checkNumbers(view, batch(12), 8, buffers);
}

/** Fields of a schema, those within others too. */
const MAX_FIELDS = 10_000;
const UNION = 14;

/** Throws if lists of a schema claim what is not there. */
function checkSchema(view: DataView, schemaAt: number): void {
  let fields = 0;
  const checkFields = (at: number | null): void => {
    checkList(view, at, 4);
    if (at === null) return;
    const list = at + view.getInt32(at, true);
    for (let entry = 1; entry <= view.getInt32(list, true); entry += 1) {
      fields += 1;
      if (fields > MAX_FIELDS) throw new RangeError('too many fields');
      const field = openTable(view, list + 4 * entry);
      const [kindAt, typeAt] = [field(8), field(10)];
      if (kindAt !== null && typeAt !== null && view.getUint8(kindAt) === UNION)
        checkList(view, openTable(view, typeAt)(6), 4);
      checkList(view, field(16), 4);
      checkFields(field(14));
    }
  };
  const schema = openTable(view, schemaAt);
  checkList(view, schema(8), 4);
  checkFields(schema(6));
}

interface Head {
  readonly kind: ArrowMessage['kind'];
  readonly bodyBytes: number;
  readonly id: bigint;
  readonly isDelta: boolean;
}

function readHead(view: DataView): Head {
  const message = openTable(view, 0);
  const [kindAt, headerAt, bodyAt] = [message(6), message(8), message(10)];
  const kind = kindAt === null ? null : (KINDS[view.getUint8(kindAt)] ?? null);
  const bodyBytes = bodyAt === null ? 0 : Number(view.getBigInt64(bodyAt, true));
  if (kind === null || headerAt === null || !(bodyBytes >= 0)) throw new RangeError('a message of another kind');
  const header = openTable(view, headerAt);
  const [idAt, deltaAt, dataAt] = [header(4), header(8), header(6)];
  const isDictionary = kind === 'dictionary';
  const batch = isDictionary && dataAt !== null ? openTable(view, dataAt) : header;
  if (kind === 'schema') checkSchema(view, headerAt);
  else checkBatch(view, batch, isDictionary);
  const id = isDictionary && idAt !== null ? view.getBigInt64(idAt, true) : 0n;
  return { kind, bodyBytes, id, isDelta: isDictionary && deltaAt !== null && view.getUint8(deltaAt) !== 0 };
}

/** Bytes that came in parts, taken from their front. */
function openBytes() {
  let parts: Uint8Array[] = [];
  let held = 0;
  return {
    push(part: Uint8Array): void {
      // The memory of a chunk is used again.
      parts.push(new Uint8Array(part));
      held += part.length;
    },
    get length() {
      return held;
    },
    /** null: they are not all there yet. `before`: zeros in front of them. */
    take(bytes: number, before = 0): Uint8Array<ArrayBuffer> | null {
      if (bytes > held) return null;
      const taken = new Uint8Array(before + bytes);
      let at = 0;
      while (at < bytes) {
        const [part = new Uint8Array(0)] = parts;
        const piece = part.subarray(0, bytes - at);
        taken.set(piece, before + at);
        at += piece.length;
        if (piece.length === part.length) parts.shift();
        else parts[0] = part.subarray(piece.length);
      }
      held -= bytes;
      return taken;
    },
    clear(): void {
      parts = [];
      held = 0;
    },
  };
}

export function openMessageCutter(): MessageCutter {
  const bytes = openBytes();
  let isFile: boolean | null = null;
  let isOver = false;
  /** The last bytes that came, for the mark at the end of a file. */
  let tail = '';
  /** null: the next thing is a length. */
  let headBytes: number | null = null;
  let head: (Head & { readonly bytes: Uint8Array<ArrayBuffer> }) | null = null;

  /** Whether there was enough for a step. */
  function readMark(): boolean {
    const start = bytes.take(MARK_BYTES);
    if (start === null) return false;
    isFile = new TextDecoder().decode(start.subarray(0, FILE_MARK.length)) === FILE_MARK;
    if (isFile) return true;
    const view = new DataView(start.buffer);
    setHeadBytes(view.getInt32(4, true));
    return true;
  }

  function setHeadBytes(length: number): void {
    if (length === 0) isOver = true;
    else if (length < 0 || length > MAX_HEAD_BYTES) throw damaged(`a message with a head of ${length} bytes`);
    else headBytes = length;
  }

  function readLength(): boolean {
    const start = bytes.take(8);
    if (start === null) return false;
    const view = new DataView(start.buffer);
    if (view.getInt32(0, true) !== -1) throw damaged('a message does not begin where it must');
    setHeadBytes(view.getInt32(4, true));
    return true;
  }

  function readHeadOf(length: number): boolean {
    const taken = bytes.take(length);
    if (taken === null) return false;
    try {
      head = { ...readHead(new DataView(taken.buffer)), bytes: taken };
    } catch (error) {
      throw damaged(error instanceof Error ? error.message : String(error));
    }
    if (head.bodyBytes > MOST_MIB * 2 ** 20)
      throw new ArrowProblem(
        `A batch of rows of the Arrow file is larger than ${MOST_MIB} MiB. Write it with smaller ones.`,
      );
    return true;
  }

  /** The message, whose length is written as that of a head which ends at a multiple of 8. */
  function readBody({ kind, bodyBytes, id, isDelta, bytes: given }: NonNullable<typeof head>): ArrowMessage | null {
    const padded = Math.ceil(given.length / 8) * 8;
    const whole = bytes.take(bodyBytes, 8 + padded);
    if (whole === null) return null;
    const view = new DataView(whole.buffer);
    view.setInt32(0, -1, true);
    view.setInt32(4, padded, true);
    whole.set(given, 8);
    head = null;
    headBytes = null;
    return { kind, bytes: whole, id, isDelta };
  }

  return {
    push(chunk) {
      const messages: ArrowMessage[] = [];
      tail = (tail + String.fromCharCode(...chunk.subarray(-FILE_MARK.length))).slice(-FILE_MARK.length);
      if (isOver) return messages;
      bytes.push(chunk);
      for (;;) {
        if (isOver) bytes.clear();
        if (isOver) return messages;
        if (head !== null) {
          const message = readBody(head);
          if (message === null) return messages;
          messages.push(message);
        } else if (!(isFile === null ? readMark() : headBytes === null ? readLength() : readHeadOf(headBytes)))
          return messages;
      }
    },
    end() {
      if (!isOver || (isFile === true && tail !== FILE_MARK))
        throw new ArrowProblem(
          'The end of the Arrow file is missing: it is cut, or was still being written. Copy it again.',
        );
    },
  };
}
