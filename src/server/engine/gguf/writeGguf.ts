// Writes GGUF files of version 3, little-endian.
import { GGML_TYPES } from './ggufHeader.ts';

/** The types of values that adapters and small models need. */
export type GgufEntry =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'uint32'; readonly value: number }
  | { readonly type: 'float32'; readonly value: number }
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
const TYPE_NUMBERS = { uint32: 4, float32: 6, string: 8 } as const;
const encoder = new TextEncoder();

const toU32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const toU64 = (value: number): Uint8Array => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);

function toText(value: string): readonly Uint8Array[] {
  const bytes = encoder.encode(value);
  return [toU64(bytes.byteLength), bytes];
}

function toEntry(name: string, entry: GgufEntry): readonly Uint8Array[] {
  if (entry.type === 'raw') return [...toText(name), entry.bytes];
  const head = [...toText(name), toU32(TYPE_NUMBERS[entry.type])];
  if (entry.type === 'string') return [...head, ...toText(entry.value)];
  if (entry.type === 'uint32') return [...head, toU32(entry.value)];
  return [...head, new Uint8Array(Float32Array.of(entry.value).buffer)];
}

const toAligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** The bytes of a file. The machine must be little-endian, as all that Node runs on today are. */
export function writeGguf(entries: ReadonlyMap<string, GgufEntry>, tensors: readonly GgufTensorData[]): Uint8Array {
  const parts: Uint8Array[] = [encoder.encode('GGUF'), toU32(3), toU64(tensors.length), toU64(entries.size)];
  for (const [name, entry] of entries) parts.push(...toEntry(name, entry));
  let offset = 0;
  for (const { name, shape, type, data } of tensors) {
    parts.push(...toText(name), toU32(shape.length), ...shape.map(toU64), toU32(GGML_TYPES[type]), toU64(offset));
    offset += toAligned(data.byteLength);
  }
  const headLength = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const dataStart = toAligned(headLength);
  const file = new Uint8Array(dataStart + offset);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.byteLength;
  }
  at = dataStart;
  for (const { data } of tensors) {
    file.set(data, at);
    at += toAligned(data.byteLength);
  }
  return file;
}
