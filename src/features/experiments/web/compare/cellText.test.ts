import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCellText, toFullText } from './cellText.ts';

const text = (kind: 'rate' | 'count' | 'number' | 'text', value: number | string | boolean, id = 'x') =>
  toCellText({ id, kind }, value);

it('writes rates in scientific notation, counts in groups, other numbers with four digits', () => {
  expect(text('rate', 0.00002)).toEqual({ text: '2e-5', isExact: true });
  expect(text('count', 2200)).toEqual({ text: '2,200', isExact: true });
  expect(text('number', 0.123456789)).toEqual({ text: '0.1235', isExact: false });
  expect(text('number', 1e-12)).toEqual({ text: '1e-12', isExact: true });
  expect(text('number', Number.NaN)).toEqual({ text: 'NaN', isExact: true });
});

it('writes known training types as people do, other texts as the service gave them', () => {
  expect(text('text', 'lora', 'training_type').text).toBe('LoRA');
  expect(text('text', 'lora').text).toBe('lora');
  expect([text('text', '').text, text('text', false).text]).toEqual(['“”', 'false']);
});

it('never shows 0 for another number, and copies every digit', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0),
      fc.constantFrom<'rate' | 'count' | 'number'>('rate', 'count', 'number'),
      (value, kind) => {
        expect(Number(text(kind, value).text.replaceAll(',', ''))).not.toBe(0);
        expect(Number(toFullText(value))).toBe(value);
      },
    ),
  );
  expect(toFullText(null)).toBe('');
});

it('shows the start of a very long text, and copies all of it', () => {
  const long = `[${'0.25,'.repeat(20_000)}1]`;
  expect(text('text', long).text).toMatch(/^\[0\.25,.{394}…$/);
  expect(toFullText(long)).toBe(long);
});
