// float32 values as people know them: 0.0002, not 0.00019999999494757503.

/** 10 ** k for k = 0 to 22: the powers that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
/** By the exponent of a float32: the decimal exponent of its smallest number, and the next power of ten. */
const DECIMAL = Array.from({ length: 256 }, (_, exponent) => {
  const decimal = Math.floor(Math.log10(2 ** (exponent - 127)) + 1e-9);
  return { decimal, next: Number(`1e${decimal + 1}`) };
});
const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/**
 * The double with the fewest decimal digits, from 6 on, that rounds to this float32. A double divided by an exact
 * power of ten is rounded once, so the result is what reading the digits would give.
 */
export function toShortFloat(value: number): number {
  // Whole numbers, zero, NaN and infinities have no shorter form.
  if (!(Math.abs(value) < Infinity) || (value === Math.trunc(value) && Math.abs(value) < 16_777_216)) return value;
  FLOAT[0] = value;
  const found = DECIMAL[((BITS[0] ?? 0) >>> 23) & 255];
  if (!found) return value;
  const decimal = Math.abs(value) >= found.next ? found.decimal + 1 : found.decimal;
  for (let places = 5 - decimal; places <= 8 - decimal; places += 1) {
    const power = POWERS[Math.abs(places)];
    if (power === undefined) return fromText(value);
    const short = places < 0 ? Math.round(value / power) * power : Math.round(value * power) / power;
    if (Math.fround(short) === value) return short;
  }
  return fromText(value);
}

/** For numbers below 1e-14 and above 1e28, where the powers are not exact. */
function fromText(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
