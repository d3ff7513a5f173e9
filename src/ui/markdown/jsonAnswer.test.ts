import { describe, expect, it } from 'vitest';
import { toMarkdown } from './jsonAnswer.ts';
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown } from './markdownSplit.ts';

describe('toMarkdown', () => {
  it.each([
    '{"a":1}',
    ' {\n  "a": 1',
    '{}',
    '[{"a":1}]',
    '["x"]',
    '{"code":"```js\\n```", "more": "````"}',
    '{"a":"*x* _y_ # z"}',
  ])('shows %j as code, whole', (text) => {
    const blocks = allBlocks(reduceMarkdown(EMPTY_MARKDOWN, toMarkdown(text), true));
    expect(blocks).toHaveLength(1);
    const [block] = blocks;
    expect(
      block?.kind === 'code' && [block.language, [...block.chunks.map((chunk) => chunk.text), block.rest].join('')],
    ).toEqual(['json', text]);
  });

  it.each([
    '[link](https://a.example)',
    '[1] a note',
    '{name} is a placeholder',
    '[[wiki]]',
    'Here: {"a":1}',
    '',
    '[ ] open',
  ])('leaves %j as markdown', (text) => {
    expect(toMarkdown(text)).toBe(text);
  });

  it('decides by the beginning, so that a growing answer does not change its look', () => {
    const text = '{"category":"billing"}\n\nAnd some words.';
    const kinds = new Set(
      Array.from({ length: text.length - 2 }, (_, at) => toMarkdown(text.slice(0, at + 2)).startsWith('```json')),
    );
    expect([...kinds]).toEqual([true]);
  });
});
