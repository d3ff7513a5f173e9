import { describe, expect, it } from 'vitest';
import { openMarkdown } from './markdownReader';
import { allBlocks } from './markdownSplit';

describe('openMarkdown', () => {
  it('starts anew when a text replaces another', () => {
    const reader = openMarkdown(() => 0);
    reader.read('one\n\ntwo\n\nthree', false);
    const kinds = allBlocks(reader.read('# new', true)).map((block) => block.kind);
    expect(kinds).toEqual(['heading']);
  });

  it('gives the same blocks when the same text is read again, also once it is complete', () => {
    const text = '- a\n- b\n\n```\ncode\n\nand [x][y]\n';
    const reader = openMarkdown(() => 0);
    const first = allBlocks(reader.read(text, true));
    expect(allBlocks(reader.read(text, true))).toEqual(first);
    expect(first).toHaveLength(2);
    const linked = openMarkdown(() => 0);
    const withLinks = `[x][y]\n\n[y]: https://a.example\n`;
    expect(allBlocks(linked.read(withLinks, true))).toHaveLength(1);
    expect(allBlocks(linked.read(withLinks, true))).toHaveLength(1);
  });

  it('says how long ago the last read began', () => {
    let time = 5;
    const reader = openMarkdown(() => time);
    reader.read('a', false);
    time = 12;
    expect(reader.sinceRead()).toBe(7);
  });
});
