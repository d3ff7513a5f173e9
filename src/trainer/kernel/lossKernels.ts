// Softmax and cross entropy in one pass, and AdamW.
import { f32, f32x4, i32, toFunction, type Code, type FunctionSource } from './assembly.ts';
import { all, bytes, greatestLane, NEVER, openExponential, sumOfLanes } from './vectors.ts';

/**
 * (logits, targets, measures, rows, count, stride, factor): for each row writes the greatest logit, the sum of
 * e^(logit - greatest) and the target's logit into `measures`, and replaces logits by the gradient of the cross entropy
 * times `factor`. Numbers from `count` to `stride` (multiples of 4) are no tokens; their gradient is 0.
 */
const crossEntropy = toFunction(
  'crossEntropy',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
  null,
  (body, logits, targets, measures, rows, count, stride, factor) => {
    const row = body.local('i32');
    const at = body.local('i32');
    const length = body.local('i32');
    const used = body.local('i32');
    const target = body.local('i32');
    const greatest = body.local('v128');
    const sum = body.local('v128');
    const power = body.local('v128');
    const toPower = openExponential(body);
    const place = i32.add(logits.get, at.get);
    const fillTail = (value: number): Code => body.each(at, used.get, length.get, 4, f32.store(place, f32.of(value)));
    return [
      ...length.set(bytes(stride.get)),
      ...used.set(bytes(count.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...fillTail(NEVER),
        ...greatest.set(all(NEVER)),
        ...sum.set(all(0)),
        ...target.set(i32.add(logits.get, bytes(i32.load(targets.get)))),
        ...body.each(at, i32.of(0), length.get, 16, greatest.set(f32x4.max(greatest.get, f32x4.load(place)))),
        ...f32.store(measures.get, greatestLane(greatest)),
        ...f32.store(measures.get, f32.load(target.get), 8),
        ...greatest.set(f32x4.splat(f32.load(measures.get))),
        ...body.each(at, i32.of(0), length.get, 16, [
          ...power.set(toPower(f32x4.sub(f32x4.load(place), greatest.get))),
          ...sum.set(f32x4.add(sum.get, power.get)),
          ...f32x4.store(place, power.get),
        ]),
        ...f32.store(measures.get, sumOfLanes(sum), 4),
        ...sum.set(f32x4.splat(f32.div(factor.get, f32.load(measures.get, 4)))),
        ...body.each(at, i32.of(0), length.get, 16, f32x4.store(place, f32x4.mul(f32x4.load(place), sum.get))),
        ...fillTail(0),
        ...f32.store(target.get, f32.sub(f32.load(target.get), factor.get)),
        ...logits.grow(length.get),
        ...targets.grow(i32.of(4)),
        ...measures.grow(i32.of(12)),
      ]),
    ];
  },
);

/** (x, count): the sum of squares. */
const sumSquares = toFunction('sumSquares', ['i32', 'i32'], 'f32', (body, x, count) => {
  const at = body.local('i32');
  const sum = body.local('v128');
  return [
    ...sum.set(all(0)),
    ...body.each(at, i32.of(0), count.get, 4, [
      ...sum.set(f32x4.add(sum.get, f32x4.mul(f32x4.load(x.get), f32x4.load(x.get)))),
      ...x.grow(i32.of(16)),
    ]),
    ...sumOfLanes(sum),
  ];
});

/**
 * (weights, gradients, means, squares, count, gradient factor, beta 1, beta 2, step size, root factor, epsilon, decay):
 * AdamW. `root factor` is 1 / (1 - beta 2 ^ step), `step size` the rate / (1 - beta 1 ^ step), `decay` the rate times
 * the weight decay.
 */
const adamW = toFunction(
  'adamW',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32', 'f32', 'f32', 'f32', 'f32'],
  null,
  (body, weights, gradients, means, squares, count, factor, beta1, beta2, size, root, epsilon, decay) => {
    const at = body.local('i32');
    const slope = body.local('v128');
    const mean = body.local('v128');
    const square = body.local('v128');
    const mix = (old: Code, fresh: Code, beta: Code): Code =>
      f32x4.add(f32x4.mul(old, f32x4.splat(beta)), f32x4.mul(fresh, f32x4.splat(f32.sub(f32.of(1), beta))));
    return body.each(at, i32.of(0), count.get, 4, [
      ...slope.set(f32x4.mul(f32x4.load(gradients.get), f32x4.splat(factor.get))),
      ...mean.set(mix(f32x4.load(means.get), slope.get, beta1.get)),
      ...square.set(mix(f32x4.load(squares.get), f32x4.mul(slope.get, slope.get), beta2.get)),
      ...f32x4.store(means.get, mean.get),
      ...f32x4.store(squares.get, square.get),
      ...f32x4.store(
        weights.get,
        f32x4.sub(
          f32x4.mul(f32x4.load(weights.get), f32x4.splat(f32.sub(f32.of(1), decay.get))),
          f32x4.div(
            f32x4.mul(mean.get, f32x4.splat(size.get)),
            f32x4.add(f32x4.sqrt(f32x4.mul(square.get, f32x4.splat(root.get))), f32x4.splat(epsilon.get)),
          ),
        ),
      ),
      ...[weights, gradients, means, squares].flatMap((line) => line.grow(i32.of(16))),
    ]);
  },
);

export const LOSS_KERNELS: readonly FunctionSource[] = [crossEntropy, sumSquares, adamW];
