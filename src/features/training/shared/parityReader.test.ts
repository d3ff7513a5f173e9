import { describe, expect, it } from 'vitest';
import type { ExportParity } from '#core/contract/exportParity.ts';
import { findRefusal, readParity } from './parityReader.ts';

const toParity = (is_served: boolean, is_refused: boolean): ExportParity => ({
  prompts: 50,
  exact_match: 0.98,
  formats: [
    {
      format: 'F16',
      is_served,
      equal: 0.9,
      exact_match: 0.885,
      lost: 0.095,
      lost_from: 0.01,
      lost_to: 0.2,
      is_refused,
      first_difference: { prompt: 'p', at: 3, before: 'abcd', after: 'abce' },
    },
  ],
});
const [FORMAT] = toParity(true, false).formats;

it('refuses the served model alone, with its figures', () => {
  expect(findRefusal(toParity(true, true))).toMatch(/88\.5 % of 50 .* 98 % were before/);
  expect(findRefusal(toParity(false, true))).toBeNull();
  expect(findRefusal(toParity(true, false))).toBeNull();
  expect(findRefusal(null)).toBeNull();
  expect(findRefusal({ ...toParity(true, true), formats: [] })).toBeNull();
});

describe('a parity that is read', () => {
  it('keeps all its figures, and drops what it does not know', () => {
    const parity = toParity(true, true);
    expect(readParity({ ...parity, further: 1 })).toEqual(parity);
    const same = { ...parity, formats: [{ ...FORMAT, first_difference: null }] };
    expect(readParity(same)).toEqual(same);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'F16'],
    ['no prompts', { ...toParity(true, true), prompts: 0 }],
    ['no share of its own', { ...toParity(true, true), exact_match: '98 %' }],
  ])('is none: %s', (_, value) => expect(readParity(value)).toBeNull());

  it.each<[string, object]>([
    ['without a name', { format: '' }],
    ['without a share', { equal: undefined }],
    ['without its interval', { lost_to: null }],
  ])('leaves out a format %s', (_, part) => {
    const parity = toParity(true, true);
    expect(readParity({ ...parity, formats: [{ ...FORMAT, ...part }, FORMAT] })?.formats).toEqual([FORMAT]);
  });

  it('has empty texts where those of a difference are missing', () => {
    const formats = [{ ...FORMAT, first_difference: { prompt: 1 } }];
    expect(readParity({ ...toParity(true, true), formats })?.formats[0]?.first_difference).toEqual({
      prompt: '',
      at: 0,
      before: '',
      after: '',
    });
  });
});
