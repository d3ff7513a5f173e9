import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findExcerpt, openTextCache, searchSessions, toPatterns } from './sessionSearch.ts';
import type { ListedSession } from './sessions.ts';

const session = (id: string, title: string, more: Partial<ListedSession> = {}): ListedSession => ({
  id,
  title,
  isNamed: true,
  savedAt: 7,
  turnCount: 2,
  models: ['m', 'n'],
  isDamaged: false,
  isCurrent: false,
  isElsewhere: false,
  ...more,
});

const SESSIONS = [session('0', 'Orders'), session('1', 'Refunds')];
const TEXTS: Readonly<Record<string, string>> = { 1: 'My Parcel is late\ngpt\nSorry!\nget_order {"id":"ORD-1"}' };

interface Search {
  /** What was shown each time, as ids; "…" while texts are read. */
  readonly shown: string[];
  readonly excerpts: (string | null)[];
  readonly read: string[];
  readonly stop: AbortController;
}

/** Each text takes `readMs`. */
function start(query: string, { broken = '', readMs = 0 } = {}): Search {
  const search: Search = { shown: [], excerpts: [], read: [], stop: new AbortController() };
  void searchSessions(SESSIONS, query, search.stop.signal, {
    readText: async ({ id }) => {
      search.read.push(id);
      await new Promise((resolve) => setTimeout(resolve, readMs));
      if (id === broken) throw new Error('can’t be read');
      return TEXTS[id] ?? '';
    },
    onShow(hits, isReading) {
      search.shown.push([...hits.keys(), ...(isReading ? ['…'] : [])].join(' '));
      search.excerpts.splice(0, Infinity, ...[...hits.values()].map(({ excerpt }) => excerpt));
    },
    onUnread: (count) => void search.shown.push(`${count} unread`),
  });
  return search;
}

async function search(query: string, options = {}): Promise<Search> {
  const started = start(query, options);
  await vi.advanceTimersByTimeAsync(1000);
  return started;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const excerptOf = (text: string, query: string): string | null => findExcerpt(text, toPatterns(query));

describe('the search', () => {
  it.each<[string, readonly string[]]>([
    ['order', ['0', '1']],
    ['parcel LATE', ['1']],
    ['refunds parcel', ['1']],
    ['orders parcel', []],
    ['m', ['0', '1']],
    ['ord-1 sorry', ['1']],
    ['nowhere', []],
    ['{"id":"ORD-1"}', ['1']],
    ['sorry.', []],
    ['.*', []],
    ['[', []],
    ['\\', []],
    ['\ud800', []],
  ])('wants every word of %j, in title, models or text', async (query, expected) =>
    expect((await search(query)).shown.at(-1)).toBe(expected.join(' ')),
  );

  it('begins when the typing has settled, with what titles and models have', async () => {
    const { shown, read } = start('order', { readMs: 100 });
    await vi.advanceTimersByTimeAsync(119);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([shown, read]).toEqual([['0 …'], ['1']]);
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual(['0 …', '0 1 …', '0 1']);
  });

  it('reads no text where title and models have it all', async () => {
    expect(await search('m n')).toMatchObject({ excerpts: [null, null], read: [] });
    expect((await search('refunds n')).read).toEqual(['0']);
  });

  it('shows nothing more once it is stopped', async () => {
    const { shown, stop, read } = start('late', { readMs: 100 });
    await vi.advanceTimersByTimeAsync(150);
    stop.abort();
    await vi.advanceTimersByTimeAsync(1000);
    expect([shown, read]).toEqual([['…'], ['0']]);
  });

  it('goes on where a text can’t be read, and says how many once', async () => {
    const { shown, read } = await search('late', { broken: '0' });
    expect([shown, read]).toEqual([
      ['…', '1 unread', '1'],
      ['0', '1'],
    ]);
  });

  it('shows where the text has it', async () => {
    expect((await search('refunds late')).excerpts).toEqual(['My Parcel is late gpt Sorry! get_order {"id":"ORD-1"}']);
    expect(excerptOf(`${'a'.repeat(100)} late ${'b'.repeat(100)}`, 'LATE')).toBe(
      `…${'a'.repeat(39)} late ${'b'.repeat(39)}…`,
    );
    expect([excerptOf('late', 'late soon'), excerptOf('late', '')]).toEqual([null, null]);
  });

  it('shows it where letters get longer or shorter in lower case', () => {
    expect(excerptOf(`${'İ'.repeat(120)} needle ${'İ'.repeat(120)}`, 'needle')).toBe(
      `…${'İ'.repeat(39)} needle ${'İ'.repeat(39)}…`,
    );
    expect(excerptOf('in İSTANBUL today', 'İstanbul')).toBe('in İSTANBUL today');
  });

  it('cuts no character in two', () => {
    const excerpt = excerptOf(`${'😀'.repeat(50)}.needle.${'😀'.repeat(50)}`, 'needle');
    expect(excerpt).toBe(`…${'😀'.repeat(19)}.needle.${'😀'.repeat(19)}…`);
  });
});

describe('texts in memory', () => {
  function openCache(most: number): { readonly read: ReturnType<typeof openTextCache>; readonly asked: string[] } {
    const asked: string[] = [];
    return { asked, read: openTextCache((id) => (asked.push(id), Promise.resolve(id.repeat(10))), most) };
  }

  it('are read once as long as they are the same', async () => {
    const { read, asked } = openCache(100);
    await read(session('a', ''));
    expect(await read(session('a', ''))).toBe('aaaaaaaaaa');
    await read(session('a', '', { savedAt: 8 }));
    expect(asked).toEqual(['a', 'a']);
  });

  it('are bounded: the first ones stay, also when all are read again and again', async () => {
    const { read, asked } = openCache(25);
    for (let round = 0; round < 3; round += 1) for (const id of ['a', 'b', 'c', 'd']) await read(session(id, ''));
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'c', 'd', 'c', 'd']);
  });

  it.each(['isCurrent', 'isElsewhere'] as const)('are read anew where they may still change: %s', async (name) => {
    const { read, asked } = openCache(100);
    for (let round = 0; round < 2; round += 1) await read(session('a', '', { [name]: true }));
    expect(asked).toEqual(['a', 'a']);
  });
});
