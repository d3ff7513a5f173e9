// 16-bit floats as bytes to 32-bit floats. Exact: every such number is a 32-bit float.

/** IEEE 754 half precision. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * 2 ** (exponent - 25) * (0x400 + fraction);
}

const WIDTHS: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 };

/** Bytes of one number of a type that `toFloats` reads; null: another type. */
export const floatWidth = (dtype: string): number | null =>
  Object.hasOwn(WIDTHS, dtype) ? (WIDTHS[dtype] ?? null) : null;

/** Little-endian numbers as a new array. */
export function toFloats(data: Uint8Array, dtype: 'F32' | 'F16' | 'BF16'): Float32Array<ArrayBuffer> {
  const copy = data.slice();
  if (dtype === 'F32') return new Float32Array(copy.buffer);
  const halves = new Uint16Array(copy.buffer);
  if (dtype === 'F16') return Float32Array.from(halves, halfToFloat);
  const bits = Uint32Array.from(halves, (half) => (half << 16) >>> 0);
  return new Float32Array(bits.buffer);
}
