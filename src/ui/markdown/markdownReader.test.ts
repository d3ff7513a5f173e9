import { expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import { openMarkdown, PIECE } from './markdownReader.ts';
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown, type MarkdownState } from './markdownSplit.ts';

/** All blocks are those of the whole text. */
function expectWhole(state: MarkdownState, text: string): void {
  const whole = allBlocks(reduceMarkdown(EMPTY_MARKDOWN, text, true));
  expect(allBlocks(state)).toHaveLength(whole.length);
  expectSame(allBlocks(state), whole);
}

it('continues after the text that it has read', () => {
  const reader = openMarkdown();
  const [first] = allBlocks(reader.read('one\n\ntwo\n\nth', false).state);
  const { state } = reader.read('one\n\ntwo\n\nthree', true);
  expect(allBlocks(state)[0]).toBe(first);
  expect(allBlocks(state)).toEqual(allBlocks(reduceMarkdown(EMPTY_MARKDOWN, 'one\n\ntwo\n\nthree', true)));
});

it('starts again if the text is another one, as after a retry', () => {
  const reader = openMarkdown();
  reader.read('# the old answer\n\nwith two blocks\n\n', true);
  expect(allBlocks(reader.read('new', false).state)).toEqual([
    { kind: 'paragraph', key: 0, children: [{ kind: 'text', text: 'new' }] },
  ]);
});

it('reads a long text that comes at once in pieces, to the same blocks', () => {
  const text = Array.from({ length: 4000 }, (_, index) =>
    index % 9 === 0 ? `- item ${index}\r\n- **b**\r\n` : `Paragraph ${index} of \`many\`, 😀 and more.\n`,
  ).join('\n');
  const reader = openMarkdown();
  let read = reader.read(text, true);
  expect(read.isBehind).toBe(true);
  expect(read.state.at).toBeLessThanOrEqual(text.length / 2);
  let calls = 1;
  for (; read.isBehind; calls += 1) read = reader.read(text, true);
  expect(calls).toBeLessThan(text.length / PIECE + 1);
  expectWhole(read.state, text);
  expect(reader.read(text, true).isBehind).toBe(false);
});

it('starts again while a long text is still unread', () => {
  const reader = openMarkdown();
  reader.read('old words\n\n'.repeat(PIECE), false);
  const read = reader.read('new', true);
  expect(read.isBehind).toBe(false);
  expect(allBlocks(read.state)).toEqual([{ kind: 'paragraph', key: 0, children: [{ kind: 'text', text: 'new' }] }]);
});

it('keeps showing the earlier blocks while a long addition is read, and then all', () => {
  const text = 'some words\n\n'.repeat(PIECE / 3);
  const reader = openMarkdown();
  const before = reader.read(text.slice(0, 1200), false);
  const behind = reader.read(text, true);
  expect(behind.isBehind).toBe(true);
  expect(behind.state).toBe(before.state);
  expect(behind.sections).toBe(before.sections);
  expect(reader.readOn()).toBe(true);
  const further = reader.read(text, true);
  expect(further.state.at).toBeGreaterThan(PIECE);
  while (reader.readOn()) continue;
  const { state, isBehind } = reader.read(text, true);
  expect(isBehind).toBe(false);
  expectWhole(state, text);
});

it('shows nothing of the former text while another long one is read', () => {
  const reader = openMarkdown();
  reader.read('old words', false);
  const { state, isBehind } = reader.read('new words\n\n'.repeat(PIECE), false);
  expect(isBehind).toBe(true);
  expect(allBlocks(state)[0]).toEqual({ kind: 'paragraph', key: 0, children: [{ kind: 'text', text: 'new words' }] });
});

it('reads between two renders, and reads nothing twice', () => {
  const text = 'some words\n\n'.repeat(PIECE);
  const reader = openMarkdown();
  expect(reader.readOn()).toBe(false);
  const { isBehind } = reader.read(text, true);
  expect(isBehind).toBe(true);
  while (reader.readOn()) continue;
  const read = reader.read(text, true);
  expect(read.isBehind).toBe(false);
  expect(read.state.pages.length * 8 + read.state.recent.length + read.state.live.length).toBe(PIECE);
  expect(reader.read(text, true).state).toBe(read.state);
});
