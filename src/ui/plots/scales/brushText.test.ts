import { expect, it } from 'vitest';
import { toAxis, type PlotColumn } from './axes.ts';
import { MISSING } from './brush.ts';
import { toBrushText, toFewText } from './brushText.ts';

const axisOf = (values: readonly (number | null)[]) =>
  toAxis(
    values,
    { id: 'rate', label: 'rate', kind: 'rate', read: (value: number | null) => value } satisfies PlotColumn<
      number | null
    >,
    false,
  ) ?? undefined;

it.each([
  [{ kind: 'range', from: 1e-4, to: 5e-4 }, 'from 1e-4 to 5e-4'],
  [{ kind: 'range', from: 8, to: null }, 'at least 8'],
  [{ kind: 'range', from: null, to: 8 }, 'at most 8'],
  [{ kind: 'values', values: ['lora', MISSING] }, 'lora or not given'],
] as const)('says what is selected: %j', (chosen, text) => expect(toBrushText(chosen)).toBe(text));

it('says why there are no lines, and what is selected all the same', () => {
  const chosen = { kind: 'range', from: 1e-3, to: null } as const;
  expect(toFewText(undefined, undefined)).toBe('All rows are equal in every column.');
  expect(toFewText(axisOf([1e-3, 2e-3]), undefined)).toBe('The rows differ only in rate. Lines need a second axis.');
  expect(toFewText(axisOf([1e-3, null]), chosen)).toBe(
    'The rows differ only in rate. Lines need a second axis. Selected on rate: at least 1e-3.',
  );
  expect(toFewText(axisOf([1e-3, 1e-3]), chosen)).toBe(
    'All rows are equal in every column. Selected on rate: at least 1e-3.',
  );
});
