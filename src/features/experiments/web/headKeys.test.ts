import { expect, it } from 'vitest';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import { CHOOSE_ALL, findNextStop, toHeadStops } from './headKeys.ts';

const stops = toHeadStops(toColumns([]).filter(({ id }) => ['label', 'status', 'last_loss'].includes(id)));

it('the controls of the heads are in visual order', () => {
  expect(stops).toEqual([
    CHOOSE_ALL,
    'sort label',
    'sort status',
    'filter status',
    'filter last_loss',
    'sort last_loss',
  ]);
});

it.each([
  ['ArrowRight', CHOOSE_ALL, 'sort label'],
  ['ArrowRight', 'sort last_loss', 'sort last_loss'],
  ['ArrowLeft', 'filter last_loss', 'filter status'],
  ['ArrowLeft', CHOOSE_ALL, CHOOSE_ALL],
  ['Home', 'filter status', CHOOSE_ALL],
  ['End', 'sort label', 'sort last_loss'],
  // A column may be hidden while its head has the focus.
  ['ArrowRight', 'sort gone', CHOOSE_ALL],
])('%s from %j leads to %j', (key, now, next) => {
  expect(findNextStop(stops, now, key)).toBe(next);
});

it('leaves other keys to the browser and the rows', () => {
  for (const key of ['Tab', 'ArrowDown', 'Enter', ' ', 'constructor'])
    expect(findNextStop(stops, CHOOSE_ALL, key)).toBeNull();
});
