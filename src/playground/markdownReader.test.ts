import { expect, it } from 'vitest';
import { openMarkdown } from './markdownReader';
import { allBlocks, EMPTY_MARKDOWN, reduceMarkdown } from './markdownSplit';

it('goes on from what it has read', () => {
  const reader = openMarkdown(() => 0);
  const [first] = allBlocks(reader.read('one\n\ntwo\n\nth', false));
  const state = reader.read('one\n\ntwo\n\nthree', true);
  expect(allBlocks(state)[0]).toBe(first);
  expect(allBlocks(state)).toEqual(allBlocks(reduceMarkdown(EMPTY_MARKDOWN, 'one\n\ntwo\n\nthree', true)));
});

it('starts anew where the text is another one, as after a retry', () => {
  const reader = openMarkdown(() => 0);
  reader.read('# the old answer\n\nwith two blocks\n\n', true);
  expect(allBlocks(reader.read('new', false))).toEqual([{ kind: 'paragraph', key: 0, children: [{ kind: 'text', text: 'new' }] }]);
});

it('says how long it is since reading began, by the clock it is given', () => {
  let now = 100;
  const reader = openMarkdown(() => now);
  reader.read('a', false);
  now = 107;
  expect(reader.sinceRead()).toBe(7);
});
