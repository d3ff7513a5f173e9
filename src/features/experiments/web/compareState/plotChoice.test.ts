import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toShortName } from '#core/contract/shortName.ts';
import { parsePlotChoice, toPlotText } from './plotChoice.ts';
import { parseUrl, toSearch } from '#ui/address/urlState.ts';

it('reads what it writes, whatever axes are called', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(
      name,
      name,
      (x, y) => void expect(parsePlotChoice(toPlotText({ kind: 'scatter', x, y }))).toEqual({ kind: 'scatter', x, y }),
    ),
  );
  for (const kind of ['none', 'loss', 'parallel'] as const)
    expect(parsePlotChoice(toPlotText({ kind }))).toEqual({ kind });
});

it('shows loss curves, or the plot that was chosen before, for what it does not know', () => {
  for (const text of [null, '', 'nonsense']) {
    expect(parsePlotChoice(text)).toEqual({ kind: 'loss' });
    expect(parsePlotChoice(text, { kind: 'parallel' })).toEqual({ kind: 'parallel' });
  }
  expect(parsePlotChoice('scatter:100%:b')).toEqual({ kind: 'scatter', x: '100%', y: 'b' });
  expect(parsePlotChoice('scatter')).toEqual({ kind: 'scatter', x: null, y: null });
});

it('fits two axes of any length and with any characters into an address', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '%', ':', '字', '\ud800'), minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(name, name, (x, y) => {
      const plot = toPlotText({ kind: 'scatter', x, y });
      expect(parsePlotChoice(parseUrl(toSearch('', { plot })).plot)).toEqual({
        kind: 'scatter',
        x: toShortName(x),
        y: toShortName(y),
      });
    }),
  );
});
