// Softmax over the positions that a token may see, forward and backward, and attention of one token while text is
// generated.
import { f32, f32x4, i32, toFunction, type Code, type FunctionSource } from './assembly.ts';
import { all, bytes, greatestLane, NEVER, openExponential, sumOfLanes } from './vectors.ts';

/** The number of vectors of 4 that hold so many numbers, as bytes. */
const vectorBytes = (count: Code): Code => i32.shl(i32.shr(i32.add(count, i32.of(3)), i32.of(2)), i32.of(4));

/**
 * (scores, rows, stride, scale): row i becomes the softmax of its first i + 1 numbers times `scale`, and 0 after them.
 * `stride` is a multiple of 4.
 */
const causalSoftmax = toFunction(
  'causalSoftmax',
  ['i32', 'i32', 'i32', 'f32'],
  null,
  (body, scores, rows, stride, scale) => {
    const row = body.local('i32');
    const at = body.local('i32');
    const length = body.local('i32');
    const end = body.local('i32');
    const greatest = body.local('v128');
    const sum = body.local('v128');
    const power = body.local('v128');
    const toPower = openExponential(body);
    const place = i32.add(scores.get, at.get);
    const seen = bytes(i32.add(row.get, i32.of(1)));
    const fillTail = (value: number): Code => body.each(at, seen, end.get, 4, f32.store(place, f32.of(value)));
    return [
      ...length.set(bytes(stride.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...end.set(vectorBytes(i32.add(row.get, i32.of(1)))),
        ...fillTail(NEVER),
        ...greatest.set(all(NEVER)),
        ...sum.set(all(0)),
        ...body.each(at, i32.of(0), end.get, 16, greatest.set(f32x4.max(greatest.get, f32x4.load(place)))),
        ...greatest.set(f32x4.splat(greatestLane(greatest))),
        ...body.each(at, i32.of(0), end.get, 16, [
          ...power.set(toPower(f32x4.mul(f32x4.sub(f32x4.load(place), greatest.get), f32x4.splat(scale.get)))),
          ...sum.set(f32x4.add(sum.get, power.get)),
          ...f32x4.store(place, power.get),
        ]),
        ...sum.set(f32x4.splat(f32.div(f32.of(1), sumOfLanes(sum)))),
        ...body.each(at, i32.of(0), end.get, 16, f32x4.store(place, f32x4.mul(f32x4.load(place), sum.get))),
        ...fillTail(0),
        ...body.each(at, end.get, length.get, 16, f32x4.store(place, all(0))),
        ...scores.grow(length.get),
      ]),
    ];
  },
);

/** (shares, slopes, rows, stride, scale): slopes of the softmax's results become slopes of its scores. */
const causalSoftmaxBackward = toFunction(
  'causalSoftmaxBackward',
  ['i32', 'i32', 'i32', 'i32', 'f32'],
  null,
  (body, shares, slopes, rows, stride, scale) => {
    const row = body.local('i32');
    const at = body.local('i32');
    const length = body.local('i32');
    const end = body.local('i32');
    const sum = body.local('v128');
    const share = f32x4.load(i32.add(shares.get, at.get));
    const slope = f32x4.load(i32.add(slopes.get, at.get));
    return [
      ...length.set(bytes(stride.get)),
      ...body.each(row, i32.of(0), rows.get, 1, [
        ...end.set(vectorBytes(i32.add(row.get, i32.of(1)))),
        ...sum.set(all(0)),
        ...body.each(at, i32.of(0), end.get, 16, sum.set(f32x4.add(sum.get, f32x4.mul(share, slope)))),
        ...sum.set(f32x4.splat(sumOfLanes(sum))),
        ...body.each(
          at,
          i32.of(0),
          end.get,
          16,
          f32x4.store(
            i32.add(slopes.get, at.get),
            f32x4.mul(f32x4.mul(share, f32x4.sub(slope, sum.get)), f32x4.splat(scale.get)),
          ),
        ),
        ...body.each(at, end.get, length.get, 16, f32x4.store(i32.add(slopes.get, at.get), all(0))),
        ...shares.grow(length.get),
        ...slopes.grow(length.get),
      ]),
    ];
  },
);

/**
 * (query, keys, values, result, scores, count, stride, head width, scale): attention of one head of one token over
 * `count` positions, whose keys and values lie `stride` numbers apart. `scores` has room for `count` + 3 numbers.
 */
const attendOnce = toFunction(
  'attendOnce',
  ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
  null,
  (body, query, keys, values, result, scores, count, stride, headWidth, scale) => {
    const index = body.local('i32');
    const at = body.local('i32');
    const line = body.local('i32');
    const end = body.local('i32');
    const length = body.local('i32');
    const step = body.local('i32');
    const sum = body.local('v128');
    const greatest = body.local('v128');
    const power = body.local('v128');
    const share = body.local('f32');
    const toPower = openExponential(body);
    const score = i32.add(scores.get, at.get);
    return [
      ...length.set(bytes(headWidth.get)),
      ...step.set(bytes(stride.get)),
      ...end.set(vectorBytes(count.get)),
      ...line.set(keys.get),
      ...body.each(index, i32.of(0), bytes(count.get), 4, [
        ...sum.set(all(0)),
        ...body.each(
          at,
          i32.of(0),
          length.get,
          16,
          sum.set(
            f32x4.add(
              sum.get,
              f32x4.mul(f32x4.load(i32.add(query.get, at.get)), f32x4.load(i32.add(line.get, at.get))),
            ),
          ),
        ),
        ...f32.store(i32.add(scores.get, index.get), sumOfLanes(sum)),
        ...line.grow(step.get),
      ]),
      ...body.each(at, bytes(count.get), end.get, 4, f32.store(score, f32.of(NEVER))),
      ...greatest.set(all(NEVER)),
      ...sum.set(all(0)),
      ...body.each(at, i32.of(0), end.get, 16, greatest.set(f32x4.max(greatest.get, f32x4.load(score)))),
      ...greatest.set(f32x4.splat(greatestLane(greatest))),
      ...body.each(at, i32.of(0), end.get, 16, [
        ...power.set(toPower(f32x4.mul(f32x4.sub(f32x4.load(score), greatest.get), f32x4.splat(scale.get)))),
        ...sum.set(f32x4.add(sum.get, power.get)),
        ...f32x4.store(score, power.get),
      ]),
      ...share.set(f32.div(f32.of(1), sumOfLanes(sum))),
      ...body.each(at, i32.of(0), length.get, 16, [
        ...sum.set(all(0)),
        ...line.set(i32.add(values.get, at.get)),
        ...body.each(index, i32.of(0), bytes(count.get), 4, [
          ...sum.set(
            f32x4.add(sum.get, f32x4.mul(f32x4.loadSplat(i32.add(scores.get, index.get)), f32x4.load(line.get))),
          ),
          ...line.grow(step.get),
        ]),
        ...f32x4.store(i32.add(result.get, at.get), f32x4.mul(sum.get, f32x4.splat(share.get))),
      ]),
    ];
  },
);

export const ATTENTION_KERNELS: readonly FunctionSource[] = [causalSoftmax, causalSoftmaxBackward, attendOnce];
