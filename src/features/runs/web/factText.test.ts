import { describe, expect, it } from 'vitest';
import type { RunFact } from '#features/runs/shared/runs.ts';
import { findSettings, toFactText, toSettingRows, toSourceText } from './factText.ts';

const source = { format: 'hf', file: 'a/args.json', place: null };
const fact = (name: string, value: RunFact['value']): RunFact => ({ name, value, source });

it.each([
  [null, 'none'],
  ['', 'empty text'],
  [0.0002, '2e-4'],
  [true, 'true'],
  ['cosine', 'cosine'],
])('writes %j as %s', (value, text) => expect(toFactText(value)).toBe(text));

it('names the place in the file, and the format where there is no file', () => {
  expect(toSourceText({ ...source, place: 'line 12' })).toBe('line 12 in a/args.json');
  expect(toSourceText({ ...source, file: '' })).toBe('hf');
});

describe('toSettingRows', () => {
  const rows = toSettingRows(
    [fact('lr', 1), fact('seed', 7), fact('only_here', null)],
    [fact('lr', '1'), fact('seed', 7), fact('only_there', 2)],
  );

  it('puts both runs side by side, by name', () => {
    expect(rows.map(({ name }) => name)).toEqual(['lr', 'only_here', 'only_there', 'seed']);
  });

  it('tells a number from a text, and a setting without a value from none', () => {
    expect(rows.filter(({ isDifferent }) => isDifferent).map(({ name }) => name)).toEqual([
      'lr',
      'only_here',
      'only_there',
    ]);
  });

  it('has no differences without another run', () => {
    expect(toSettingRows([fact('lr', 1)], null)).toMatchObject([{ name: 'lr', isDifferent: false }]);
  });
});

it('finds settings by name and value', () => {
  const rows = toSettingRows([fact('lr_scheduler_type', 'cosine'), fact('optim', 'adamw_torch')], null);
  expect(findSettings(rows, 'LR cos').map(({ name }) => name)).toEqual(['lr_scheduler_type']);
  expect(findSettings(rows, 'adamw').map(({ name }) => name)).toEqual(['optim']);
  expect(findSettings(rows, '  ')).toBe(rows);
});
