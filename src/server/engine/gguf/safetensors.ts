// A safetensors file: an 8-byte length, a JSON header, the data of the tensors. Nothing in it is code.
// https://huggingface.co/docs/safetensors
import { isObject, ownField } from '#shared/contract/reading.ts';

export interface SafeTensor {
  readonly name: string;
  /** `F32`, `F16`, `BF16` or another type of the format. */
  readonly dtype: string;
  /** PyTorch's order: the slowest dimension first. */
  readonly shape: readonly number[];
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

function toHeader(file: Uint8Array): { readonly header: object; readonly dataStart: number } {
  if (file.byteLength < 8) throw new SafetensorsError('The safetensors file is shorter than 8 bytes: it is cut off.');
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > MAX_HEADER || 8 + length > file.byteLength)
    throw new SafetensorsError('The safetensors file is cut off, or it is no safetensors file.');
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    if (isObject(header)) return { header, dataStart: 8 + length };
  } catch {
    // Reported below.
  }
  throw new SafetensorsError('The header of the safetensors file is not a JSON object: the file is damaged.');
}

/** Reads all tensors of a file without copying them. Throws SafetensorsError. */
export function readSafetensors(file: Uint8Array): readonly SafeTensor[] {
  const { header, dataStart } = toHeader(file);
  const size = file.byteLength - dataStart;
  return Object.entries(header).flatMap(([name, entry]: [string, unknown]) => {
    if (name === '__metadata__') return [];
    const fields = isObject(entry) ? entry : {};
    const [dtype, shape, offsets] = ['dtype', 'shape', 'data_offsets'].map((field) => ownField(fields, field));
    const isGood = typeof dtype === 'string' && isCounts(shape) && isCounts(offsets) && offsets.length === 2;
    const [from = 0, to = 0] = isGood ? offsets : [];
    if (!isGood || from > to || to > size)
      throw new SafetensorsError(`The tensor ${name} lies outside the safetensors file: the file is damaged.`);
    return [{ name, dtype, shape, data: file.subarray(dataStart + from, dataStart + to) }];
  });
}
