import { describe, expect, it } from 'vitest';
import { toParity } from './exportParity.fixture.ts';
import { exportParitySchema } from './exportParity.ts';

it('reads what it sends, and no unbounded text', () => {
  const parity = toParity(true, true);
  expect(exportParitySchema.parse(parity)).toEqual(parity);
  const long = { ...parity, formats: [{ ...parity.formats[0], format: 'x'.repeat(41) }] };
  expect(exportParitySchema.safeParse(long).success).toBe(false);
});

describe('a parity that is not one', () => {
  const [format] = toParity(true, false).formats;
  const parity = toParity(true, false);
  it.each<[string, unknown]>([
    ['nothing', null],
    ['no formats', { prompts: 50, exact_match: 1 }],
    ['a part of a prompt', { ...parity, prompts: 1.5 }],
    ['fewer than no prompts', { ...parity, prompts: -1 }],
    ['a share as text', { ...parity, exact_match: '98 %' }],
    ['more formats than there are', { ...parity, formats: Array.from({ length: 9 }, () => format) }],
    ['a format without a name', { ...parity, formats: [{ ...format, format: '' }] }],
    ['a format without its verdict', { ...parity, formats: [{ ...format, is_refused: undefined }] }],
    [
      'a difference without bounds',
      {
        ...parity,
        formats: [{ ...format, first_difference: { ...format?.first_difference, after: 'x'.repeat(401) } }],
      },
    ],
    [
      'a difference before the text',
      { ...parity, formats: [{ ...format, first_difference: { ...format?.first_difference, at: -1 } }] },
    ],
  ])('is not read: %s', (_, value) => {
    expect(exportParitySchema.safeParse(value).success).toBe(false);
  });

  it('may have no difference, and no format that could be asked', () => {
    const same = { ...parity, formats: [{ ...format, first_difference: null }] };
    expect(exportParitySchema.parse(same)).toEqual(same);
    const none = { ...parity, formats: [] };
    expect(exportParitySchema.parse(none)).toEqual(none);
  });
});
