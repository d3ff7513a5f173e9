// The header of a GGUF file: its key-value pairs and the places of its tensors. Reads versions 2 and 3, little-endian.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

type GgufValue = string | number | bigint | boolean | readonly GgufValue[];

export interface GgufTensor {
  readonly name: string;
  /** ggml's order: the fastest dimension first. A matrix of `out` rows and `in` columns is [in, out]. */
  readonly shape: readonly number[];
  /** ggml's number of the type: see GGML_TYPES. */
  readonly type: number;
  /** Bytes from the beginning of the data. */
  readonly offset: number;
}

export interface GgufHeader {
  readonly values: ReadonlyMap<string, GgufValue>;
  /** The same values as bytes: the number of the type, then the value. Views of what was read. */
  readonly rawValues: ReadonlyMap<string, Uint8Array>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  /** Where the data begins, in bytes from the start of the file. */
  readonly dataStart: number;
}

/** The types of tensors that are read or written here. */
export const GGML_TYPES = { F32: 0, F16: 1, Q8_0: 8, BF16: 30 } as const;

/** The file is no GGUF file, is damaged, or its header is longer than what was read. */
export class GgufError extends Error {
  override readonly name = 'GgufError';
}

/** The beginning of a GGUF file that its readers want. Vocabularies of 256,000 tokens take about 8 MB. */
export const MAX_GGUF_HEADER = 64 * 1024 * 1024;

const MAX_NAME = 65_535;
const MAX_ITEMS = 10_000_000;
/** ggml's. */
const MAX_DIMENSIONS = 4;
const DEFAULT_ALIGNMENT = 32;
/** Bytes of the values of each type that has a size, by its number. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const STRING = 8;
const text = new TextDecoder();

/** A place in the file that moves on with each value. Throws GgufError beyond the end. */
class Cursor {
  readonly #view: DataView;
  at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly hasLists: boolean,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  take(count: number): number {
    const from = this.at;
    if (count < 0 || from + count > this.bytes.byteLength)
      throw new GgufError('The GGUF header ends early: the file is cut off, or damaged.');
    this.at = from + count;
    return from;
  }

  u32 = (): number => this.#view.getUint32(this.take(4), true);
  u64 = (): bigint => this.#view.getBigUint64(this.take(8), true);

  count(most: number): number {
    const value = this.u64();
    if (value > BigInt(most)) throw new GgufError(`The GGUF header counts ${value} items: the file is damaged.`);
    return Number(value);
  }

  string(most: number): string {
    const length = this.count(most);
    const from = this.take(length);
    return text.decode(this.bytes.subarray(from, from + length));
  }

  /** Passes over a text. */
  skipString(): void {
    const from = this.take(8);
    const [low, high] = [this.#view.getUint32(from, true), this.#view.getUint32(from + 4, true)];
    this.take(high * 2 ** 32 + low);
  }

  /** A list with its length alone. */
  skipList(type: number, length: number, depth: number): GgufValue {
    const size = SIZES[type];
    if (size !== undefined) this.take(length * size);
    else if (type === STRING) for (let index = 0; index < length; index += 1) this.skipString();
    else for (let index = 0; index < length; index += 1) this.value(type, depth);
    const list: GgufValue[] = [];
    list.length = length;
    return list;
  }

  value(type: number, depth = 0): GgufValue {
    const view = this.#view;
    switch (type) {
      case 0:
        return view.getUint8(this.take(1));
      case 1:
        return view.getInt8(this.take(1));
      case 2:
        return view.getUint16(this.take(2), true);
      case 3:
        return view.getInt16(this.take(2), true);
      case 4:
        return view.getUint32(this.take(4), true);
      case 5:
        return view.getInt32(this.take(4), true);
      case 6:
        return view.getFloat32(this.take(4), true);
      case 7:
        return view.getUint8(this.take(1)) !== 0;
      case STRING:
        return this.string(this.bytes.byteLength);
      case 9: {
        const inner = this.u32();
        const length = this.count(MAX_ITEMS);
        if (depth > 2) throw new GgufError('The GGUF header nests lists too deeply: the file is damaged.');
        if (!this.hasLists) return this.skipList(inner, length, depth + 1);
        return Array.from({ length }, () => this.value(inner, depth + 1));
      }
      case 10:
        return view.getBigUint64(this.take(8), true);
      case 11:
        return view.getBigInt64(this.take(8), true);
      case 12:
        return view.getFloat64(this.take(8), true);
      default:
        throw new GgufError(`The GGUF header holds a value of the unknown type ${type}.`);
    }
  }
}

function readTensor(cursor: Cursor): GgufTensor {
  const name = cursor.string(MAX_NAME);
  const dimensions = cursor.u32();
  if (dimensions > MAX_DIMENSIONS) throw new GgufError(`The tensor ${name} has ${dimensions} dimensions.`);
  const shape = Array.from({ length: dimensions }, () => cursor.count(Number.MAX_SAFE_INTEGER));
  return { name, shape, type: cursor.u32(), offset: cursor.count(Number.MAX_SAFE_INTEGER) };
}

/**
 * Reads the header at the beginning of a file. `bytes` may end after it. `hasLists` false: lists have their lengths and no
 * items; those of a large vocabulary take a tenth of a second. Throws GgufError.
 */
export function readGgufHeader(bytes: Uint8Array, hasLists = true): GgufHeader {
  const cursor = new Cursor(bytes, hasLists);
  if (bytes.byteLength < 4 || text.decode(bytes.subarray(0, 4)) !== 'GGUF')
    throw new GgufError('This is no GGUF file: it does not begin with "GGUF".');
  cursor.take(4);
  const version = cursor.u32();
  if (version !== 2 && version !== 3) throw new GgufError(`GGUF version ${version} is not known here, only 2 and 3.`);
  const tensorCount = cursor.count(MAX_ITEMS);
  const valueCount = cursor.count(MAX_ITEMS);
  const values = new Map<string, GgufValue>();
  const rawValues = new Map<string, Uint8Array>();
  for (let index = 0; index < valueCount; index += 1) {
    const name = cursor.string(MAX_NAME);
    const from = cursor.at;
    values.set(name, cursor.value(cursor.u32()));
    rawValues.set(name, bytes.subarray(from, cursor.at));
  }
  const tensors = new Map<string, GgufTensor>();
  for (let index = 0; index < tensorCount; index += 1) {
    const tensor = readTensor(cursor);
    if (tensors.has(tensor.name)) throw new GgufError(`The tensor ${tensor.name} comes twice: the file is damaged.`);
    tensors.set(tensor.name, tensor);
  }
  const alignment = Number(values.get('general.alignment') ?? DEFAULT_ALIGNMENT);
  if (!(alignment >= 8 && Number.isInteger(Math.log2(alignment))))
    throw new GgufError(`general.alignment is ${alignment}, which is no power of two from 8 on: the file is damaged.`);
  return { values, rawValues, tensors, dataStart: Math.ceil(cursor.at / alignment) * alignment };
}
