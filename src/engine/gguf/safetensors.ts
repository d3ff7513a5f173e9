// A safetensors file: an 8-byte length, a JSON header, the data of the tensors. Nothing in it is code.
// https://huggingface.co/docs/safetensors
import { isObject, ownField, parseJson } from '#core/contract/readJson.ts';

/** A tensor as the header describes it. */
export interface SafeEntry {
  readonly name: string;
  /** `F32`, `F16`, `BF16` or another type of the format. */
  readonly dtype: string;
  /** PyTorch's order: the slowest dimension first. */
  readonly shape: readonly number[];
  /** Where its numbers lie, in bytes from the beginning of the file. */
  readonly from: number;
  readonly to: number;
}

export interface SafeTensor extends SafeEntry {
  /** A view of the file. */
  readonly data: Uint8Array;
}

/** The message is for people: what is wrong with the file. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

/** The same bound as the hub's own clients use. */
const MAX_HEADER = 25 * 1024 * 1024;

const isCounts = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 0);

/** Bytes of the header with its length in front. `head`: at least the first 8 bytes of the file. Throws SafetensorsError. */
export function toHeaderLength(head: Uint8Array): number {
  if (head.byteLength < 8) throw new SafetensorsError('The safetensors file is shorter than 8 bytes: it is cut off.');
  const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true));
  if (length > MAX_HEADER) throw new SafetensorsError('The safetensors file is cut off, or it is no safetensors file.');
  return 8 + length;
}

/** The tensors of a file of `size` bytes. `head`: its beginning, with the whole header. Throws SafetensorsError. */
export function readSafetensorsHeader(head: Uint8Array, size: number): readonly SafeEntry[] {
  const dataStart = toHeaderLength(head);
  if (dataStart > head.byteLength)
    throw new SafetensorsError('The safetensors file is cut off, or it is no safetensors file.');
  const header = parseJson(new TextDecoder().decode(head.subarray(8, dataStart)));
  if (!isObject(header))
    throw new SafetensorsError('The header of the safetensors file is not a JSON object: the file is damaged.');
  return Object.entries(header).flatMap(([name, entry]: [string, unknown]) => {
    if (name === '__metadata__') return [];
    const fields = isObject(entry) ? entry : {};
    const [dtype, shape, offsets] = ['dtype', 'shape', 'data_offsets'].map((field) => ownField(fields, field));
    const isGood = typeof dtype === 'string' && isCounts(shape) && isCounts(offsets) && offsets.length === 2;
    const [from = 0, to = 0] = isGood ? offsets : [];
    if (!isGood || from > to || dataStart + to > size)
      throw new SafetensorsError(`The tensor ${name} lies outside the safetensors file: the file is damaged.`);
    return [{ name, dtype, shape, from: dataStart + from, to: dataStart + to }];
  });
}

/** Reads all tensors of a file without copying them. Throws SafetensorsError. */
export const readSafetensors = (file: Uint8Array): readonly SafeTensor[] =>
  readSafetensorsHeader(file, file.byteLength).map(({ name, dtype, shape, from, to }) => ({
    name,
    dtype,
    shape,
    from,
    to,
    data: file.subarray(from, to),
  }));
