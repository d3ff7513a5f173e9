// Writes GGUF files of version 3, little-endian.
import { GGML_TYPES } from './ggufHeader.ts';

/** The types of values that adapters and small models need. */
export type GgufEntry =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'uint32'; readonly value: number }
  | { readonly type: 'float32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'int32s'; readonly value: readonly number[] }
  | { readonly type: 'float32s'; readonly value: readonly number[] }
  /** As `rawValues` of a header has it. */
  | { readonly type: 'raw'; readonly bytes: Uint8Array };

export interface GgufTensorData {
  readonly name: string;
  /** ggml's order: the fastest dimension first. */
  readonly shape: readonly number[];
  readonly type: keyof typeof GGML_TYPES;
  /** Little-endian, rows one after the other. */
  readonly data: Uint8Array;
}

const ALIGNMENT = 32;
const TYPE_NUMBERS = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const encoder = new TextEncoder();

const toU32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const toU64 = (value: number): Uint8Array => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);

function toText(value: string): readonly Uint8Array[] {
  const bytes = encoder.encode(value);
  return [toU64(bytes.byteLength), bytes];
}

const toArray = (type: 'int32' | 'float32' | 'string', count: number): readonly Uint8Array[] =>
  [TYPE_NUMBERS.array, TYPE_NUMBERS[type]].map(toU32).concat(toU64(count));

/** The number of the type, then the value. */
function toValue(entry: Exclude<GgufEntry, { type: 'raw' }>): readonly Uint8Array[] {
  switch (entry.type) {
    case 'strings':
      return [...toArray('string', entry.value.length), ...entry.value.flatMap(toText)];
    case 'int32s':
      return [...toArray('int32', entry.value.length), new Uint8Array(Int32Array.from(entry.value).buffer)];
    case 'float32s':
      return [...toArray('float32', entry.value.length), new Uint8Array(Float32Array.from(entry.value).buffer)];
    case 'string':
      return [toU32(TYPE_NUMBERS.string), ...toText(entry.value)];
    case 'uint32':
      return [toU32(TYPE_NUMBERS.uint32), toU32(entry.value)];
    case 'float32':
      return [toU32(TYPE_NUMBERS.float32), new Uint8Array(Float32Array.of(entry.value).buffer)];
    case 'bool':
      return [toU32(TYPE_NUMBERS.bool), Uint8Array.of(entry.value ? 1 : 0)];
  }
}

const toEntry = (name: string, entry: GgufEntry): readonly Uint8Array[] => [
  ...toText(name),
  ...(entry.type === 'raw' ? [entry.bytes] : toValue(entry)),
];

const toAligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** A tensor whose data is written later. */
export type GgufTensorPlace = Omit<GgufTensorData, 'data'> & { readonly bytes: number };

/** Bytes of zeros that follow the data of a tensor. */
export const toPadding = (bytes: number): number => toAligned(bytes) - bytes;

/** The bytes of a file before the data of its first tensor. Each tensor is followed by its `toPadding`. */
export function toGgufHead(
  entries: ReadonlyMap<string, GgufEntry>,
  tensors: readonly GgufTensorPlace[],
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [encoder.encode('GGUF'), toU32(3), toU64(tensors.length), toU64(entries.size)];
  for (const [name, entry] of entries) parts.push(...toEntry(name, entry));
  let offset = 0;
  for (const { name, shape, type, bytes } of tensors) {
    parts.push(...toText(name), toU32(shape.length), ...shape.map(toU64), toU32(GGML_TYPES[type]), toU64(offset));
    offset += toAligned(bytes);
  }
  const head = new Uint8Array(toAligned(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)));
  let at = 0;
  for (const part of parts) {
    head.set(part, at);
    at += part.byteLength;
  }
  return head;
}

/** The bytes of a file. The machine must be little-endian, as all that Node runs on today are. */
export function writeGguf(entries: ReadonlyMap<string, GgufEntry>, tensors: readonly GgufTensorData[]): Uint8Array {
  const head = toGgufHead(
    entries,
    tensors.map((tensor) => ({ ...tensor, bytes: tensor.data.byteLength })),
  );
  const size = tensors.reduce((sum, { data }) => sum + toAligned(data.byteLength), head.byteLength);
  const file = new Uint8Array(size);
  file.set(head);
  let at = head.byteLength;
  for (const { data } of tensors) {
    file.set(data, at);
    at += toAligned(data.byteLength);
  }
  return file;
}
