import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTextLead, toTextParts } from './textParts.ts';

describe('first sentence', () => {
  it.each([
    ['Short rows. And more.', 'Short rows.', false],
    ['Only one sentence.', 'Only one sentence.', true],
    ['No full stop', 'No full stop', true],
    ['Small models, e.g. qwen3-0.6b, learn this. More.', 'Small models, e.g. qwen3-0.6b, learn this.', false],
    ['A rate of 2.86e-4 and 1.5 epochs. More.', 'A rate of 2.86e-4 and 1.5 epochs.', false],
    ['At 0.2 it failed (e.g. twice). Then 3 runs worked.', 'At 0.2 it failed (e.g. twice).', false],
    ['no end', 'no end', true],
    ['By J. Schulman et al. in 2025. More.', 'By J. Schulman et al. in 2025.', false],
    ['Is it enough? Yes.', 'Is it enough?', false],
    ['He said "enough." Then left.', 'He said "enough."', false],
    ['A line\nand another', 'A line', false],
    ['  padded.  ', 'padded.', true],
  ])('%j', (text, lead, isWhole) => {
    expect(toTextLead(text)).toEqual({ lead, isWhole });
  });

  it('of a 10,000 character wall is cut at a word', () => {
    const { lead, isWhole } = toTextLead('word '.repeat(2000));
    expect(isWhole).toBe(false);
    expect(lead).toMatch(/^(word )+word…$/);
    expect(lead.length).toBeLessThanOrEqual(241);
  });

  it('of text without spaces is cut all the same, and never through a character', () => {
    expect(toTextLead('y'.repeat(10_000)).lead).toBe(`${'y'.repeat(240)}…`);
    const { lead } = toTextLead(`${'y'.repeat(239)}${'😀'.repeat(50)}`);
    expect(lead).toBe(`${'y'.repeat(239)}…`);
  });

  it('is always the start of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        const { lead, isWhole } = toTextLead(text);
        if (isWhole) expect(lead).toBe(text.trim());
        else expect(text.trim().startsWith(lead.replace(/…$/, ''))).toBe(true);
      }),
    );
  });
});

describe('sources', () => {
  const links = (text: string) =>
    toTextParts(text).flatMap((part) => (part.href === null ? [] : [[part.text, part.href]]));

  it('finds web addresses without the punctuation after them', () => {
    expect(links('See https://a.example/b?c=d. (Or http://e.example/f), then go.')).toEqual([
      ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
      ['http://e.example/f', 'http://e.example/f'],
    ]);
  });

  it('opens a DOI at doi.org', () => {
    expect(links('LoRA Without Regret (doi 10.64434/tml.20250929).')).toEqual([
      ['doi 10.64434/tml.20250929', 'https://doi.org/10.64434/tml.20250929'],
    ]);
  });

  it('makes nothing else a link', () => {
    expect(links('javascript:alert(1) data:text/html,x //evil.example file:///etc/passwd <a href="x">')).toEqual([]);
    expect(links('https://[bad')).toEqual([]);
  });

  it('joined is the same text, and every link is http or https', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('https://', 'http://x.y/z', 'doi 10.1234/ab', ' ', '.', ')', 'https://[', '"'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const parts = toTextParts(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts) if (part.href !== null) expect(new URL(part.href).protocol).toMatch(/^https?:$/);
      }),
    );
  });
});
