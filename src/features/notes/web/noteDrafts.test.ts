import { expect, it, vi } from 'vitest';
import type { NoteDraft } from './noteWords.ts';
import { keepDraft, parseDrafts, readDraft, toStoredDrafts } from './noteDrafts.ts';

const toDraft = (text: string): NoteDraft => {
  const base = { name: '', tags: ['a'], text: '' };
  return { base, mine: { ...base, text } };
};

it('a stored draft is read again', () => {
  const drafts = new Map([['n1', toDraft('one')]]);
  expect(parseDrafts(toStoredDrafts(drafts))).toEqual(drafts);
});

it('keeps the newest of many drafts, and of long ones', () => {
  const many = new Map(Array.from({ length: 25 }, (_, at) => [`n${at}`, toDraft(`${at}`)] as const));
  expect([...parseDrafts(toStoredDrafts(many)).keys()]).toEqual(Array.from({ length: 20 }, (_, at) => `n${at + 5}`));
  const long = new Map(['a', 'b', 'c'].map((id) => [id, toDraft(id.repeat(400_000))]));
  expect([...parseDrafts(toStoredDrafts(long)).keys()]).toEqual(['b', 'c']);
});

it('leaves out what is damaged', () => {
  expect(parseDrafts('{').size).toBe(0);
  expect(parseDrafts('[["n1",{"mine":{}}],7,["n2",{"base":{},"mine":{"text":"x","tags":[1]}}]]')).toEqual(
    new Map([['n2', { base: { name: '', tags: [], text: '' }, mine: { name: '', tags: [], text: 'x' } }]]),
  );
});

it('lasts as long as the page where the browser stores nothing', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('switched off');
    },
  });
  keepDraft('n1', toDraft('one'));
  expect(readDraft('n1')?.mine.text).toBe('one');
  keepDraft('n1', null);
  expect(readDraft('n1')).toBeNull();
});
