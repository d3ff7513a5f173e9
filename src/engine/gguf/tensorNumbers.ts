// Numbers of tensors as bytes, and back: F32, F16, BF16 and Q8_0, rounded as llama.cpp and its gguf-py round them.
import { halfToFloat, toFloats } from './floats.ts';
import { GGML_TYPES, GgufError, type GgufHeader, type GgufTensor } from './ggufHeader.ts';

/** Numbers of a Q8_0 block, which share one scale, and the bytes of a block. */
const BLOCK = 32;
const BLOCK_BYTES = 34;

const floatBox = new Float32Array(1);
const bitBox = new Uint32Array(floatBox.buffer);

/** The nearest half precision number as bits; of two equally near ones the even one. */
function floatToHalf(value: number): number {
  floatBox[0] = value;
  const bits = bitBox[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  const place = exponent - 112;
  if (place >= 31) return sign | 0x7c00;
  const isSmall = place <= 0;
  if (place < -10) return sign;
  const shift = isSmall ? 14 - place : 13;
  const whole = isSmall ? fraction | 0x800000 : fraction;
  const kept = (isSmall ? 0 : place << 10) | (whole >>> shift);
  const rest = whole & ((1 << shift) - 1);
  const middle = 1 << (shift - 1);
  // Rounding up may carry into the exponent, which is then right too.
  return sign | (kept + (rest > middle || (rest === middle && (kept & 1) === 1) ? 1 : 0));
}

/** C's roundf: halves away from 0. */
const roundAway = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5);

function toBlocks(numbers: Float32Array): Uint8Array {
  const count = numbers.length / BLOCK;
  const data = new Uint8Array(count * BLOCK_BYTES);
  const view = new DataView(data.buffer);
  // Billions of numbers: no iterators.
  for (let block = 0; block < count; block += 1) {
    const [from, to] = [block * BLOCK, block * BLOCK_BYTES];
    let most = 0;
    for (let index = from; index < from + BLOCK; index += 1) most = Math.max(most, Math.abs(numbers[index] ?? 0));
    const scale = Math.fround(most / 127);
    const inverse = scale === 0 ? 0 : Math.fround(1 / scale);
    view.setUint16(to, floatToHalf(scale), true);
    for (let index = 0; index < BLOCK; index += 1)
      data[to + 2 + index] = roundAway(Math.fround((numbers[from + index] ?? 0) * inverse));
  }
  return data;
}

function fromBlocks(data: Uint8Array): Float32Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count = data.byteLength / BLOCK_BYTES;
  const numbers = new Float32Array(count * BLOCK);
  for (let block = 0; block < count; block += 1) {
    const scale = halfToFloat(view.getUint16(block * BLOCK_BYTES, true));
    for (let index = 0; index < BLOCK; index += 1)
      numbers[block * BLOCK + index] = scale * view.getInt8(block * BLOCK_BYTES + 2 + index);
  }
  return numbers;
}

/** Whether rows of so many numbers can be written as Q8_0. */
export const isBlockRow = (columns: number): boolean => columns % BLOCK === 0;

/** Bytes of so many numbers. */
export const toByteCount = (count: number, type: 'F32' | 'F16' | 'BF16' | 'Q8_0'): number =>
  type === 'Q8_0' ? (count / BLOCK) * BLOCK_BYTES : count * (type === 'F32' ? 4 : 2);

/** The bytes of a tensor. For Q8_0 the rows must be `isBlockRow`; for BF16 the numbers must be such ones. */
export function toTensorData(numbers: Float32Array, type: 'F32' | 'F16' | 'BF16' | 'Q8_0'): Uint8Array {
  if (type === 'Q8_0') return toBlocks(numbers);
  const copy = numbers.slice().buffer;
  if (type === 'F32') return new Uint8Array(copy);
  if (type === 'BF16') return new Uint8Array(Uint16Array.from(new Uint32Array(copy), (bits) => bits >>> 16).buffer);
  return new Uint8Array(Uint16Array.from(numbers, floatToHalf).buffer);
}

/** The numbers of a tensor of a whole file. Throws GgufError: another type, or the file is cut off. */
export function readTensorNumbers(file: Uint8Array, header: GgufHeader, tensor: GgufTensor): Float32Array {
  const count = tensor.shape.reduce((product, size) => product * size, 1);
  const from = header.dataStart + tensor.offset;
  const take = (length: number): Uint8Array => {
    if (from + length > file.byteLength)
      throw new GgufError(`The GGUF file ends before the tensor ${tensor.name}: it is cut off.`);
    return file.subarray(from, from + length);
  };
  switch (tensor.type) {
    case GGML_TYPES.F32:
      return toFloats(take(count * 4), 'F32');
    case GGML_TYPES.F16:
      return toFloats(take(count * 2), 'F16');
    case GGML_TYPES.BF16:
      return toFloats(take(count * 2), 'BF16');
    case GGML_TYPES.Q8_0:
      return fromBlocks(take((count / BLOCK) * BLOCK_BYTES));
    default:
      throw new GgufError(`The tensor ${tensor.name} has the type ${tensor.type}, which can't be read here.`);
  }
}
