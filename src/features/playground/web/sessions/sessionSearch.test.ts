import { describe, expect, it } from 'vitest';
import { findExcerpt, openTextCache, searchSessions, toPatterns, type Hit } from './sessionSearch.ts';
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

interface Searched {
  readonly heads: readonly string[];
  readonly hits: readonly Hit[];
  readonly read: readonly string[];
  readonly unreadCount: number;
}

async function search(query: string, { signal = new AbortController().signal, broken = '' } = {}): Promise<Searched> {
  const hits: Hit[] = [];
  const read: string[] = [];
  let heads: readonly string[] = [];
  const readText = async ({ id }: ListedSession): Promise<string> => {
    read.push(id);
    if (id === broken) throw new Error('can’t be read');
    return TEXTS[id] ?? '';
  };
  const onHeads = (found: readonly Hit[]): void => {
    expect(read).toEqual([]);
    heads = found.map(({ id }) => id);
    hits.push(...found);
  };
  const unreadCount = await searchSessions(SESSIONS, query, {
    readText,
    signal,
    onHeads,
    onHit: (hit) => hits.push(hit),
  });
  return { heads, hits, read, unreadCount };
}

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
    expect((await search(query)).hits.map(({ id }) => id)).toEqual(expected),
  );

  it('gives what titles and models have before it reads any text', async () =>
    expect(await search('order')).toMatchObject({ heads: ['0'], hits: [{ id: '0' }, { id: '1' }], read: ['1'] }));

  it('reads no text where title and models have it all', async () => {
    expect(await search('m n')).toMatchObject({
      hits: [
        { id: '0', excerpt: null },
        { id: '1', excerpt: null },
      ],
      read: [],
    });
    expect((await search('refunds n')).read).toEqual(['0']);
  });

  it('goes no further when it is no longer wanted', async () => {
    expect(await search('late', { signal: AbortSignal.abort() })).toMatchObject({ hits: [], read: ['0'] });
  });

  it('counts what can’t be read, and goes on', async () => {
    expect(await search('late', { broken: '0' })).toMatchObject({
      hits: [{ id: '1' }],
      read: ['0', '1'],
      unreadCount: 1,
    });
    expect((await search('late')).unreadCount).toBe(0);
  });

  it('shows where the text has it', async () => {
    expect((await search('refunds late')).hits).toEqual([
      { id: '1', excerpt: 'My Parcel is late gpt Sorry! get_order {"id":"ORD-1"}' },
    ]);
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
