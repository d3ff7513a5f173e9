// The product of matrices: both are first copied into panels, so that the inner loop reads memory from front to back.
// A panel of the left matrix has 4 of its rows, one of the right has 8 of its columns, for all of the inner dimension.
import { choose, f32, f32x4, i32, toFunction, type Code, type FunctionSource, type Variable } from './assembly.ts';
import { bytes } from './vectors.ts';

/** Rows and columns of the block of the result that the inner loop keeps in registers. */
export const PANEL_ROWS = 4;
export const PANEL_COLUMNS = 8;
/** Rows of the left matrix whose panels stay in the second-level cache while all of the right matrix passes. */
const BLOCK_ROWS = 64;

const QUAD = [0, 1, 2, 3] as const;

/**
 * (source, target, count, inner, stride, width): panels of lines, each `inner` numbers side by side, that begin
 * `stride` numbers apart. `count` must be a multiple of the panel's width.
 */
const packLines = toFunction(
  'packLines',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  null,
  (body, source, target, count, inner, stride, width) => {
    const line = body.local('i32');
    const k = body.local('i32');
    const to = body.local('i32');
    const step = body.local('i32');
    const whole = body.local('i32');
    const from = QUAD.map(() => body.local('i32'));
    const [r0, r1] = [body.local('v128'), body.local('v128')];
    const [r2, r3] = [body.local('v128'), body.local('v128')];
    const [t0, t1] = [body.local('v128'), body.local('v128')];
    const [t2, t3] = [body.local('v128'), body.local('v128')];
    const advance = (count: number): Code => [
      ...from.flatMap((address) => address.grow(i32.of(count * 4))),
      ...to.grow(i32.mul(step.get, i32.of(count))),
    ];
    const put = (value: Code): Code => [...f32x4.store(to.get, value), ...to.grow(step.get)];
    return [
      ...step.set(bytes(width.get)),
      ...whole.set(i32.and(inner.get, i32.of(-4))),
      ...body.each(line, i32.of(0), count.get, 4, [
        ...from.flatMap((address, row) =>
          address.set(i32.add(source.get, bytes(i32.mul(stride.get, i32.add(line.get, i32.of(row)))))),
        ),
        // Lines 4 to 7 of a wide panel are the right halves of its steps.
        ...to.set(
          i32.add(
            target.get,
            bytes(
              i32.add(
                i32.mul(i32.and(line.get, i32.sub(i32.of(0), width.get)), inner.get),
                i32.and(line.get, i32.sub(width.get, i32.of(1))),
              ),
            ),
          ),
        ),
        ...body.each(k, i32.of(0), whole.get, 4, [
          ...[r0, r1, r2, r3].flatMap((row, index) => row.set(f32x4.load(from[index]?.get ?? []))),
          ...t0.set(f32x4.pick(r0.get, r1.get, 0, 4, 1, 5)),
          ...t1.set(f32x4.pick(r0.get, r1.get, 2, 6, 3, 7)),
          ...t2.set(f32x4.pick(r2.get, r3.get, 0, 4, 1, 5)),
          ...t3.set(f32x4.pick(r2.get, r3.get, 2, 6, 3, 7)),
          ...put(f32x4.pick(t0.get, t2.get, 0, 1, 4, 5)),
          ...put(f32x4.pick(t0.get, t2.get, 2, 3, 6, 7)),
          ...put(f32x4.pick(t1.get, t3.get, 0, 1, 4, 5)),
          ...put(f32x4.pick(t1.get, t3.get, 2, 3, 6, 7)),
          ...from.flatMap((address) => address.grow(i32.of(16))),
        ]),
        ...body.each(k, whole.get, inner.get, 1, [
          ...from.flatMap((address, row) => f32.store(to.get, f32.load(address.get), row * 4)),
          ...advance(1),
        ]),
      ]),
    ];
  },
);

/**
 * (source, target, count, inner, stride, width): the same for lines of which neighbours lie side by side, and whose
 * numbers are `stride` apart.
 */
const packColumns = toFunction(
  'packColumns',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  null,
  (body, source, target, count, inner, stride, width) => {
    const line = body.local('i32');
    const k = body.local('i32');
    const from = body.local('i32');
    const to = body.local('i32');
    const step = body.local('i32');
    const panels = (size: number): Code =>
      body.each(line, i32.of(0), count.get, size, [
        ...from.set(i32.add(source.get, bytes(line.get))),
        ...body.each(k, i32.of(0), inner.get, 1, [
          ...f32x4.store(to.get, f32x4.load(from.get)),
          ...(size === 8 ? f32x4.store(to.get, f32x4.load(from.get, 16), 16) : []),
          ...from.grow(step.get),
          ...to.grow(i32.of(size * 4)),
        ]),
      ]);
    return [
      ...to.set(target.get),
      ...step.set(bytes(stride.get)),
      ...choose(i32.equal(width.get, i32.of(8)), panels(8), panels(4)),
    ];
  },
);

/**
 * (left panels, right panels, result, rows, columns, inner, stride, adds): result (+)= left x right. `columns` must be a
 * multiple of 8, `inner` at least 1; rows are rounded up to a multiple of 4, so as many of the result are written. `adds` 0:
 * overwrite. With relaxed multiply-add, which rounds once instead of twice.
 */
const multiply = toFunction(
  'multiply',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  null,
  (body, left, right, result, rows, columns, inner, stride, adds) => {
    const block = body.local('i32');
    const blockEnd = body.local('i32');
    const column = body.local('i32');
    const row = body.local('i32');
    const k = body.local('i32');
    const from = body.local('i32');
    const beside = body.local('i32');
    const to = body.local('i32');
    const value = body.local('v128');
    const [low, high] = [body.local('v128'), body.local('v128')];
    const sums = QUAD.map(() => [body.local('v128'), body.local('v128')] as const);
    const toSum = (sum: Variable, other: Variable): Code => sum.set(f32x4.fused(value.get, other.get, sum.get));
    // One step a turn: V8 11 (Node 20) moves all loads of a turn to its start, and keeps in memory what it has no
    // registers for. With four steps a turn, that halved the speed. V8 repeats the turns itself.
    const step = [
      ...low.set(f32x4.load(beside.get)),
      ...high.set(f32x4.load(beside.get, 16)),
      ...sums.flatMap(([first, second], line) => [
        ...value.set(f32x4.loadSplat(from.get, line * 4)),
        ...toSum(first, low),
        ...toSum(second, high),
      ]),
      ...from.grow(i32.of(PANEL_ROWS * 4)),
      ...beside.grow(i32.of(PANEL_COLUMNS * 4)),
    ];
    const write = (isAdding: boolean): Code =>
      sums.flatMap((pair, line) => [
        ...pair.flatMap((sum, half) =>
          f32x4.store(to.get, isAdding ? f32x4.add(f32x4.load(to.get, half * 16), sum.get) : sum.get, half * 16),
        ),
        ...(line === 3 ? [] : to.grow(bytes(stride.get))),
      ]);
    return body.each(block, i32.of(0), rows.get, BLOCK_ROWS, [
      ...blockEnd.set(i32.add(block.get, i32.of(BLOCK_ROWS))),
      ...choose(i32.lessThan(rows.get, blockEnd.get), blockEnd.set(rows.get)),
      ...body.each(column, i32.of(0), columns.get, PANEL_COLUMNS, [
        ...from.set(i32.add(left.get, bytes(i32.mul(block.get, inner.get)))),
        ...body.each(row, block.get, blockEnd.get, PANEL_ROWS, [
          ...beside.set(i32.add(right.get, bytes(i32.mul(column.get, inner.get)))),
          ...to.set(i32.add(result.get, bytes(i32.add(i32.mul(row.get, stride.get), column.get)))),
          ...sums.flat().flatMap((sum) => sum.set(f32x4.of(0, 0, 0, 0))),
          ...k.set(inner.get),
          ...body.repeat([...step, ...k.grow(i32.of(-1))], k.get),
          ...choose(adds.get, write(true), write(false)),
        ]),
      ]),
    ]);
  },
);

export const MATRIX_KERNELS: readonly FunctionSource[] = [packLines, packColumns, multiply];
