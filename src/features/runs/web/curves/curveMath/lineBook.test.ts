import { expect, it } from 'vitest';
import { toLines, toSmoothLine } from './lineBook.ts';
import { toCurve } from './lines.fixture.ts';

it('makes no line twice, and knows the start of a run by all its curves', () => {
  const curves = [toCurve([1, 2], { times: [2000, 3000] }), toCurve([5], { name: 'kl', times: [1000] })];
  const first = toLines(curves, 'elapsed', [{ id: 'a' }]);
  expect([...first.get('loss')![0]!.xs]).toEqual([1, 2]);
  expect(toLines(curves, 'elapsed', [{ id: 'a' }]).get('loss')![0]).toBe(first.get('loss')![0]);
  expect(toSmoothLine(first.get('loss')![0]!, 0.5)).toBe(toSmoothLine(first.get('loss')![0]!, 0.5));
});
