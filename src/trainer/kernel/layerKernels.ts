// What stands between the matrices of a layer: norm, rotation of positions, gate; forward and backward. Rows lie one
// after the other and are a multiple of 4 numbers long.
import { f32, f32x4, i32, toFunction, type Code, type FunctionSource } from './assembly.ts';
import { all, bytes, openExponential, sumOfLanes } from './vectors.ts';

/** (x, weight, result, inverses, rows, width, epsilon): RMSNorm. Keeps 1 / (root of the mean square) of each row. */
const normForward = toFunction(
  'normForward',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
  null,
  (body, x, weight, result, inverses, rows, width, epsilon) => {
    const row = body.local('i32');
    const at = body.local('i32');
    const length = body.local('i32');
    const inverse = body.local('f32');
    const sum = body.local('v128');
    const value = f32x4.load(i32.add(x.get, at.get));
    return [
      ...length.set(bytes(width.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...sum.set(all(0)),
        ...body.each(at, i32.of(0), length.get, 16, sum.set(f32x4.add(sum.get, f32x4.mul(value, value)))),
        ...inverse.set(
          f32.div(f32.of(1), f32.sqrt(f32.add(f32.div(sumOfLanes(sum), f32.fromInteger(width.get)), epsilon.get))),
        ),
        ...f32.store(inverses.get, inverse.get),
        ...body.each(
          at,
          i32.of(0),
          length.get,
          16,
          f32x4.store(
            i32.add(result.get, at.get),
            f32x4.mul(f32x4.mul(value, f32x4.splat(inverse.get)), f32x4.load(i32.add(weight.get, at.get))),
          ),
        ),
        ...x.grow(length.get),
        ...result.grow(length.get),
        ...inverses.grow(i32.of(4)),
      ]),
    ];
  },
);

/** (x, weight, inverses, d result, d x, d weight, rows, width): adds to both gradients. */
const normBackward = toFunction(
  'normBackward',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  null,
  (body, x, weight, inverses, dResult, dx, dWeight, rows, width) => {
    const row = body.local('i32');
    const at = body.local('i32');
    const length = body.local('i32');
    const inverse = body.local('f32');
    const share = body.local('f32');
    const sum = body.local('v128');
    const value = f32x4.load(i32.add(x.get, at.get));
    const slope = f32x4.load(i32.add(dResult.get, at.get));
    const weighted = f32x4.mul(slope, f32x4.load(i32.add(weight.get, at.get)));
    const addTo = (target: Code, more: Code): Code => f32x4.store(target, f32x4.add(f32x4.load(target), more));
    return [
      ...length.set(bytes(width.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...sum.set(all(0)),
        ...body.each(at, i32.of(0), length.get, 16, sum.set(f32x4.add(sum.get, f32x4.mul(weighted, value)))),
        ...inverse.set(f32.load(inverses.get)),
        ...share.set(
          f32.mul(
            f32.mul(inverse.get, inverse.get),
            f32.mul(inverse.get, f32.div(sumOfLanes(sum), f32.fromInteger(width.get))),
          ),
        ),
        ...body.each(at, i32.of(0), length.get, 16, [
          ...addTo(
            i32.add(dx.get, at.get),
            f32x4.sub(f32x4.mul(weighted, f32x4.splat(inverse.get)), f32x4.mul(value, f32x4.splat(share.get))),
          ),
          ...addTo(i32.add(dWeight.get, at.get), f32x4.mul(f32x4.mul(slope, value), f32x4.splat(inverse.get))),
        ]),
        ...[x, dResult, dx].flatMap((line) => line.grow(length.get)),
        ...inverses.grow(i32.of(4)),
      ]),
    ];
  },
);

/**
 * (x, table, positions, rows, width, head width, sign): turns neighbours (x0, x1) of each head by the angles of the
 * row's position. The table has for each position a head's cosines and sines: c0 c0 c1 c1 ..., -s0 s0 -s1 s1 ...
 * `sign` -1 turns back, which is the gradient.
 */
const rotate = toFunction(
  'rotate',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
  null,
  (body, x, table, positions, rows, width, headWidth, sign) => {
    const row = body.local('i32');
    const head = body.local('i32');
    const at = body.local('i32');
    const angles = body.local('i32');
    const length = body.local('i32');
    const value = body.local('v128');
    return [
      ...length.set(bytes(headWidth.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...angles.set(i32.add(table.get, i32.shl(i32.mul(i32.load(positions.get), headWidth.get), i32.of(3)))),
        ...body.each(head, i32.of(0), width.get, 1, [
          ...body.each(at, i32.of(0), length.get, 16, [
            ...value.set(f32x4.load(x.get)),
            ...f32x4.store(
              x.get,
              f32x4.add(
                f32x4.mul(value.get, f32x4.load(i32.add(angles.get, at.get))),
                f32x4.mul(
                  f32x4.mul(f32x4.pick(value.get, value.get, 1, 0, 3, 2), f32x4.splat(sign.get)),
                  f32x4.load(i32.add(i32.add(angles.get, length.get), at.get)),
                ),
              ),
            ),
            ...x.grow(i32.of(16)),
          ]),
          ...head.set(i32.sub(i32.add(head.get, headWidth.get), i32.of(1))),
        ]),
        ...positions.grow(i32.of(4)),
      ]),
    ];
  },
);

/** (gate, up, result, count): gate * sigmoid(gate) * up. */
const gateForward = toFunction('gateForward', ['i32', 'i32', 'i32', 'i32'], null, (body, gate, up, result, count) => {
  const at = body.local('i32');
  const value = body.local('v128');
  const toPower = openExponential(body);
  return body.each(at, i32.of(0), count.get, 4, [
    ...value.set(f32x4.load(gate.get)),
    ...f32x4.store(
      result.get,
      f32x4.div(f32x4.mul(value.get, f32x4.load(up.get)), f32x4.add(all(1), toPower(f32x4.neg(value.get)))),
    ),
    ...[gate, up, result].flatMap((line) => line.grow(i32.of(16))),
  ]);
});

/** (gate, up, d result, count): puts the gradients in the places of gate and up. */
const gateBackward = toFunction('gateBackward', ['i32', 'i32', 'i32', 'i32'], null, (body, gate, up, slope, count) => {
  const at = body.local('i32');
  const value = body.local('v128');
  const share = body.local('v128');
  const toPower = openExponential(body);
  return body.each(at, i32.of(0), count.get, 4, [
    ...value.set(f32x4.load(gate.get)),
    ...share.set(f32x4.div(all(1), f32x4.add(all(1), toPower(f32x4.neg(value.get))))),
    // d gate = d result * up * s * (1 + gate * (1 - s))
    ...f32x4.store(
      gate.get,
      f32x4.mul(
        f32x4.mul(f32x4.mul(f32x4.load(slope.get), f32x4.load(up.get)), share.get),
        f32x4.add(all(1), f32x4.mul(value.get, f32x4.sub(all(1), share.get))),
      ),
    ),
    ...f32x4.store(up.get, f32x4.mul(f32x4.load(slope.get), f32x4.mul(value.get, share.get))),
    ...[gate, up, slope].flatMap((line) => line.grow(i32.of(16))),
  ]);
});

/** (target, source, count, factor): target += factor * source. */
const addScaled = toFunction('addScaled', ['i32', 'i32', 'i32', 'f32'], null, (body, target, source, count, factor) => {
  const at = body.local('i32');
  return body.each(at, i32.of(0), count.get, 4, [
    ...f32x4.store(
      target.get,
      f32x4.add(f32x4.load(target.get), f32x4.mul(f32x4.load(source.get), f32x4.splat(factor.get))),
    ),
    ...[target, source].flatMap((line) => line.grow(i32.of(16))),
  ]);
});

export const LAYER_KERNELS: readonly FunctionSource[] = [
  normForward,
  normBackward,
  rotate,
  gateForward,
  gateBackward,
  addScaled,
];
