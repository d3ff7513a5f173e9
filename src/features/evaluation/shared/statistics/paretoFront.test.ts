import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toParetoFront } from './paretoFront.ts';

it('keeps what no other point beats in quality and latency', () =>
  expect(
    toParetoFront(
      [
        { id: 'best', values: [0.9, 900] },
        { id: 'fast', values: [0.6, 100] },
        { id: 'beaten', values: [0.6, 300] },
        { id: 'twin', values: [0.9, 900] },
        { id: 'unknown', values: [1, null] },
      ],
      ['high', 'low'],
    ),
  ).toEqual(['best', 'fast', 'twin']));

it('is never empty, and has the best of each axis', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 12 }), (values) => {
      const points = values.map((each, at) => ({ id: String(at), values: each }));
      const front = toParetoFront(points, ['high', 'low']).map((id) => values[Number(id)]!);
      expect(Math.max(...front.map(([high]) => high))).toBe(Math.max(...values.map(([high]) => high)));
      expect(Math.min(...front.map(([, low]) => low))).toBe(Math.min(...values.map(([, low]) => low)));
    }),
  ));
