import { describe, expect, it } from 'vitest';
import { findExcerpt, openTextCache, searchSessions, type Hit } from './sessionSearch';
import type { ListedSession } from './sessions';

const session = (id: string, title: string, more: Partial<ListedSession> = {}): ListedSession => ({ id, title, isNamed: true, savedAt: 7, turnCount: 2, models: ['m', 'n'], isDamaged: false, isCurrent: false, isElsewhere: false, ...more });

const SESSIONS = [session('0', 'Orders'), session('1', 'Refunds')];
const TEXTS: Readonly<Record<string, string>> = { 1: 'My Parcel is late\ngpt\nSorry!\nget_order {"id":"ORD-1"}' };

async function search(query: string, signal = new AbortController().signal): Promise<{ readonly hits: readonly Hit[]; readonly read: readonly string[] }> {
  const hits: Hit[] = [];
  const read: string[] = [];
  const readText = ({ id }: ListedSession): Promise<string> => (read.push(id), Promise.resolve(TEXTS[id] ?? ''));
  await searchSessions(SESSIONS, query, { readText, signal, onHit: (hit) => hits.push(hit) });
  return { hits, read };
}

describe('the search', () => {
  it.each<[string, readonly string[]]>([
    ['order', ['0', '1']], ['parcel LATE', ['1']], ['refunds parcel', ['1']], ['orders parcel', []], ['m', ['0', '1']], ['ord-1 sorry', ['1']], ['nowhere', []],
  ])('wants every word of %j, in title, models or text', async (query, expected) => expect((await search(query)).hits.map(({ id }) => id)).toEqual(expected));

  it('reads no text where title and models have it all', async () => {
    expect(await search('m n')).toEqual({ hits: [{ id: '0', excerpt: null }, { id: '1', excerpt: null }], read: [] });
    expect((await search('refunds n')).read).toEqual(['0']);
  });

  it('goes no further when it is no longer wanted', async () => {
    expect(await search('late', AbortSignal.abort())).toEqual({ hits: [], read: ['0'] });
  });

  it('shows where the text has it', async () => {
    expect((await search('refunds late')).hits).toEqual([{ id: '1', excerpt: 'My Parcel is late gpt Sorry! get_order {"id":"ORD-1"}' }]);
    expect(findExcerpt(`${'a'.repeat(100)} late ${'b'.repeat(100)}`, ['late'])).toBe(`…${'a'.repeat(39)} late ${'b'.repeat(39)}…`);
    expect([findExcerpt('late', ['late', 'soon']), findExcerpt('late', [])]).toEqual([null, null]);
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
