// WebAssembly instructions as bytes, and the module that holds them. An expression is the bytes that leave its value on
// the stack; a statement leaves nothing. https://webassembly.github.io/spec/core/binary/
export type Code = readonly number[];
export type ValueType = 'i32' | 'f32' | 'v128';

const TYPE_BYTES: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };
const VOID = 0x40;

function toUnsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function toSigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isEnd = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isEnd ? low : low | 0x80);
    if (isEnd) return bytes;
  }
}

const floatBytes = (value: number): Code => [...new Uint8Array(Float32Array.of(value).buffer)];

const two =
  (...opcode: readonly number[]) =>
  (left: Code, right: Code): Code => [...left, ...right, ...opcode];
const one =
  (...opcode: readonly number[]) =>
  (value: Code): Code => [...value, ...opcode];
/** `align`: the power of two that addresses are expected to be multiples of; it changes no result. */
const load =
  (align: number, ...opcode: readonly number[]) =>
  (address: Code, offset = 0): Code => [...address, ...opcode, align, ...toUnsigned(offset)];
const store =
  (align: number, ...opcode: readonly number[]) =>
  (address: Code, value: Code, offset = 0): Code => [...address, ...value, ...opcode, align, ...toUnsigned(offset)];
const simd = (number: number): Code => [0xfd, ...toUnsigned(number)];

export const i32 = {
  of: (value: number): Code => [0x41, ...toSigned(value)],
  add: two(0x6a),
  sub: two(0x6b),
  mul: two(0x6c),
  and: two(0x71),
  shl: two(0x74),
  shr: two(0x76),
  load: load(2, 0x28),
  lessThan: two(0x48),
  atLeast: two(0x4e),
  equal: two(0x46),
} as const;

export const f32 = {
  of: (value: number): Code => [0x43, ...floatBytes(value)],
  load: load(2, 0x2a),
  store: store(2, 0x38),
  add: two(0x92),
  sub: two(0x93),
  mul: two(0x94),
  div: two(0x95),
  max: two(0x97),
  sqrt: one(0x91),
  fromInteger: one(0xb2),
} as const;

/** Four f32 numbers at once. */
export const f32x4 = {
  of: (...lanes: readonly [number, number, number, number]): Code => [...simd(12), ...lanes.flatMap(floatBytes)],
  load: load(2, ...simd(0)),
  /** One number of memory in all four places. */
  loadSplat: load(2, ...simd(9)),
  store: store(2, ...simd(11)),
  splat: one(...simd(19)),
  lane: (value: Code, lane: number): Code => [...value, ...simd(31), lane],
  add: two(...simd(228)),
  sub: two(...simd(229)),
  mul: two(...simd(230)),
  div: two(...simd(231)),
  min: two(...simd(232)),
  max: two(...simd(233)),
  sqrt: one(...simd(227)),
  neg: one(...simd(225)),
  nearest: one(...simd(106)),
  /** left * right + sum with one rounding: a relaxed instruction, which not every Node has. */
  fused: (left: Code, right: Code, sum: Code): Code => [...left, ...right, ...sum, ...simd(261)],
  /** Four numbers of the eight of `left` (0 to 3) and `right` (4 to 7). */
  pick: (left: Code, right: Code, ...lanes: readonly [number, number, number, number]): Code => [
    ...left,
    ...right,
    ...simd(13),
    ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => lane * 4 + byte)),
  ],
} as const;

export const i32x4 = {
  fromFloats: one(...simd(248)),
  splat: one(...simd(17)),
  add: two(...simd(174)),
  shl: (value: Code, bits: Code): Code => [...value, ...bits, ...simd(171)],
} as const;

export interface Variable {
  readonly get: Code;
  set(value: Code): Code;
  /** Sets it to itself plus an i32. */
  grow(by: Code): Code;
}

/** Statements of a function that need its variables. */
export interface Body {
  local(type: ValueType): Variable;
  /** `from`, `from + step`, ... below `to`. */
  each(index: Variable, from: Code, to: Code, step: number, body: Code): Code;
  /** Runs `body` at least once, then while `condition` is not 0. */
  repeat(body: Code, condition: Code): Code;
}

export interface FunctionSource {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | null;
  readonly locals: readonly ValueType[];
  readonly code: Code;
}

export const choose = (condition: Code, then: Code, otherwise: Code = []): Code => [
  ...condition,
  0x04,
  VOID,
  ...then,
  ...(otherwise.length === 0 ? [] : [0x05, ...otherwise]),
  0x0b,
];

/** A function of the module. `write` gets the parameters in order, and returns statements and last the result's expression. */
export function toFunction(
  name: string,
  parameters: readonly ValueType[],
  result: ValueType | null,
  write: (body: Body, ...parameters: readonly Variable[]) => Code,
): FunctionSource {
  const locals: ValueType[] = [];
  const toVariable = (index: number): Variable => {
    const place = toUnsigned(index);
    const get = [0x20, ...place];
    const set = (value: Code): Code => [...value, 0x21, ...place];
    return { get, set, grow: (by) => set(i32.add(get, by)) };
  };
  const body: Body = {
    local(type) {
      locals.push(type);
      return toVariable(parameters.length + locals.length - 1);
    },
    each: (index, from, to, step, inner) => [
      ...index.set(from),
      0x02,
      VOID,
      0x03,
      VOID,
      ...i32.atLeast(index.get, to),
      0x0d,
      1,
      ...inner,
      ...index.grow(i32.of(step)),
      0x0c,
      0,
      0x0b,
      0x0b,
    ],
    repeat: (inner, condition) => [0x03, VOID, ...inner, ...condition, 0x0d, 0, 0x0b],
  };
  const code = write(body, ...parameters.map((_, index) => toVariable(index)));
  return { name, parameters, result, locals, code };
}

const encoder = new TextEncoder();
const toVector = (items: readonly Code[]): Code => [...toUnsigned(items.length), ...items.flat()];
const toSection = (id: number, content: Code): Code => [id, ...toUnsigned(content.length), ...content];
const toName = (text: string): Code => {
  const bytes = [...encoder.encode(text)];
  return [...toUnsigned(bytes.length), ...bytes];
};

/** WebAssembly's most, in pages: the module takes any memory. */
const MOST_PAGES = 65_536;

/** The bytes of a module that imports its memory, which threads may share, as `env.memory` and exports each function by its name. */
export function toModuleBytes(functions: readonly FunctionSource[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, result }) => [
    0x60,
    ...toVector(parameters.map((type) => [TYPE_BYTES[type]])),
    ...toVector(result === null ? [] : [[TYPE_BYTES[result]]]),
  ]);
  const bodies = functions.map(({ locals, code }) => {
    const bytes = [...toVector(locals.map((type) => [1, TYPE_BYTES[type]])), ...code, 0x0b];
    return [...toUnsigned(bytes.length), ...bytes];
  });
  const memory = [...toName('env'), ...toName('memory'), 0x02, 0x03, ...toUnsigned(1), ...toUnsigned(MOST_PAGES)];
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...toSection(1, toVector(types)),
    ...toSection(2, toVector([memory])),
    ...toSection(3, toVector(functions.map((_, index) => toUnsigned(index)))),
    ...toSection(7, toVector(functions.map(({ name }, index) => [...toName(name), 0x00, ...toUnsigned(index)]))),
    ...toSection(10, toVector(bodies)),
  ]);
}
