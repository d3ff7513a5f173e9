// The rows of an Arrow file, or a stream, as JSON lines, while its bytes arrive. It may be damaged or made to harm: what
// it claims is checked first.
import { parseJson } from '#core/contract/readJson.ts';
import {
  CompressionType,
  setCompressionCodec,
  tableFromIPC,
  Type,
  type Batch,
  type Column,
  type Table,
} from '@uwdata/flechette';
import { decompress as decompressZstd } from 'fzstd';
import { ArrowProblem, openMessageCutter, type ArrowMessage } from './arrowMessages.ts';
import { decompressLz4Frame } from './lz4Frame.ts';

export { ArrowProblem };

export interface ArrowLines {
  /** Rows that are there now, some at a time. Throws ArrowProblem. */
  push(chunk: Uint8Array): Generator<string[], void>;
  /** Throws ArrowProblem if the end is missing. */
  end(): void;
}

/** Rows that are given at a time. */
const STEP = 1000;
/** Bytes of a message: unpacked, and as lines. */
const MAX_UNPACKED = 1024 * 2 ** 20;
/** Values that need no bytes, such as nulls. */
const MAX_EMPTY_VALUES = 1_000_000;

let unpacked = 0;

/** Claims room for bytes of the message that is read. */
function claim(bytes: number): void {
  unpacked += bytes;
  if (!(bytes >= 0 && unpacked <= MAX_UNPACKED)) throw new RangeError('it unpacks to more than 1 GiB');
}

const neverEncode = (): never => {
  throw new Error('Arrow is only read.');
};
setCompressionCodec(CompressionType.LZ4_FRAME, {
  decode(input, length) {
    claim(length);
    return decompressLz4Frame(input, length);
  },
  encode: neverEncode,
});
setCompressionCodec(CompressionType.ZSTD, {
  decode(input, length) {
    claim(length);
    return decompressZstd(input, new Uint8Array(length));
  },
  encode: neverEncode,
});

type Field = Table['schema']['fields'][number];
type Read = (value: unknown) => unknown;

const UNREAD: ReadonlySet<number> = new Set([
  Type.Union,
  Type.Interval,
  Type.RunEndEncoded,
  Type.ListView,
  Type.LargeListView,
]);

/** Texts of this type hold JSON: Hugging Face keeps messages so whose fields differ. */
const isJson = ({ metadata }: Field): boolean => metadata?.get('ARROW:extension:name') === 'arrow.json';

const readJson = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value, value) : value);

/** Whole numbers beyond those of JSON become texts, and bytes their number: images are no text. */
function readOther(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? `(${value.length} bytes)` : value;
}

function toListReader(item: Read): Read {
  return (value) => (value === null ? null : Array.from(value as ArrayLike<unknown>, item));
}

/** What turns values of a field into those of JSON. */
function toReader(field: Field, type = field.type): Read {
  if (isJson(field)) return readJson;
  if (UNREAD.has(type.typeId))
    throw new ArrowProblem(`The column ${JSON.stringify(field.name)} of the Arrow file has a type that is not read.`);
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList: {
      const [item] = type.children;
      return item ? toListReader(toReader(item)) : (value) => value;
    }
    case Type.Map: {
      const [pair] = type.children;
      const entries = pair.type.typeId === Type.Struct ? pair.type.children : [];
      const read = entries[1] ? toReader(entries[1]) : readOther;
      return (value) =>
        value === null
          ? null
          : Object.fromEntries((value as [unknown, unknown][]).map(([key, held]) => [String(key), read(held)]));
    }
    case Type.Struct: {
      const parts = type.children.map((child) => [child.name, toReader(child)] as const);
      return (value) =>
        value === null
          ? null
          : Object.fromEntries(parts.map(([name, read]) => [name, read((value as Record<string, unknown>)[name])]));
    }
    case Type.Dictionary:
      return toReader(field, type.dictionary);
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
    case Type.Bool:
      return (value) => value;
    default:
      return readOther;
  }
}

/** Throws if values lie where there are none: their reader would make them up, or never end. */
function checkBatch(batch: Batch<unknown>, most: number): void {
  const { length, offsets, children, type } = batch;
  const fail = (): never => {
    throw new RangeError('values beyond its end');
  };
  if (!(length >= 0 && length <= most)) fail();
  const [child] = children ?? [];
  if (offsets && length > 0) {
    const end = child ? child.length : batch.values.length;
    let last = Number(offsets[0] ?? -1);
    if (last < 0) fail();
    for (let at = 1; at <= length; at += 1) {
      const next = Number(offsets[at] ?? -1);
      if (next < last) fail();
      last = next;
    }
    if (last > end) fail();
  }
  if ('dictionary' in batch) for (const part of (batch.dictionary as Column<unknown>).data) checkBatch(part, most);
  for (const part of children ?? []) {
    if (type.typeId === Type.Struct && part.length < length) fail();
    if (type.typeId === Type.FixedSizeList && part.length < length * type.stride) fail();
    checkBatch(part, most);
  }
}

/** All texts of one message, some at a time. */
function* toLines(table: Table): Generator<string[], void> {
  const { schema, children } = table;
  const columns = schema.fields.map((field, at) => {
    const batch = children[at]?.data[0];
    return { name: field.name, read: toReader(field), batch };
  });
  const rows = columns[0]?.batch?.length ?? 0;
  for (const { batch } of columns) {
    if (batch?.length !== rows) throw new RangeError('columns of different lengths');
    checkBatch(batch, Math.max(MAX_EMPTY_VALUES, 8 * unpacked));
  }
  for (let from = 0; from < rows; from += STEP) {
    const lines: string[] = [];
    for (let row = from; row < Math.min(rows, from + STEP); row += 1) {
      const entries = columns.map(({ name, read, batch }) => [name, read(batch?.at(row))]);
      const line = JSON.stringify(Object.fromEntries(entries));
      claim(line.length);
      lines.push(line);
    }
    yield lines;
  }
}

export function openArrowLines(): ArrowLines {
  const cutter = openMessageCutter();
  let schema: Uint8Array | null = null;
  let dictionaries: ArrowMessage[] = [];
  let rows = 0;

  function* readRows(message: ArrowMessage): Generator<string[], void> {
    if (schema === null) throw new ArrowProblem('The Arrow file has no schema before its rows. Copy it again.');
    try {
      unpacked = 0;
      claim(message.bytes.length + dictionaries.reduce((sum, { bytes }) => sum + bytes.length, 0));
      const parts = [schema, ...dictionaries.map(({ bytes }) => bytes), message.bytes];
      const table = tableFromIPC(parts, { useBigInt: true, useDate: true });
      if (table.schema.endianness !== 0) throw new RangeError('its numbers are big-endian');
      for (const lines of toLines(table)) {
        yield lines;
        rows += lines.length;
      }
    } catch (error) {
      if (error instanceof ArrowProblem) throw error;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 200);
      throw new ArrowProblem(
        `The rows from ${rows + 1} on can't be read from the Arrow file (${reason}). Copy it again.`,
      );
    }
  }

  return {
    *push(chunk) {
      for (const message of cutter.push(chunk)) {
        if (message.kind === 'schema') schema ??= message.bytes;
        else if (message.kind === 'rows') yield* readRows(message);
        else {
          // One that adds nothing to another takes its place.
          const kept = message.isDelta ? dictionaries : dictionaries.filter(({ id }) => id !== message.id);
          dictionaries = [...kept, message];
        }
      }
    },
    end: () => cutter.end(),
  };
}
