import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedSession } from './sessions.ts';
import { startSearch } from './sessionSearch.ts';

const session = (id: string, title: string): ListedSession => ({
  id,
  title,
  isNamed: true,
  savedAt: 7,
  turnCount: 2,
  models: [],
  isDamaged: false,
  isCurrent: false,
  isElsewhere: false,
});
const SESSIONS = [session('0', 'Late'), session('1', 'One'), session('2', 'Two'), session('3', 'Three')];

/** Text by text, as they are given. */
class Texts {
  private readonly waiting = new Map<string, { readonly give: (text: string) => void; readonly fail: () => void }>();
  readonly read = ({ id }: ListedSession): Promise<string> =>
    new Promise((give, reject) => void this.waiting.set(id, { give, fail: () => reject(new Error('can’t be read')) }));
  /** null: it can't be read. */
  async answer(id: string, text: string | null): Promise<void> {
    const one = this.waiting.get(id);
    if (!one) throw new Error(`Not asked for: ${id}`);
    if (text === null) one.fail();
    else one.give(text);
    await vi.advanceTimersByTimeAsync(0);
  }
}

interface Running {
  readonly texts: Texts;
  readonly shown: string[];
  readonly stop: () => void;
}

function search(query: string): Running {
  const texts = new Texts();
  const shown: string[] = [];
  const stop = startSearch(SESSIONS, query, {
    readText: texts.read,
    onShow: (hits, isReading) => shown.push([...hits.keys(), ...(isReading ? ['…'] : [])].join(' ')),
    onUnread: (count) => shown.push(`${count} unread`),
  });
  return { texts, shown, stop };
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

describe('a search', () => {
  it('begins when the typing has settled, with all that titles have', async () => {
    const { shown } = search('late');
    await vi.advanceTimersByTimeAsync(119);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toEqual(['0 …']);
  });

  it('shows what texts have a moment later, also while the next text takes long', async () => {
    const { texts, shown } = search('late');
    await vi.advanceTimersByTimeAsync(120);
    await texts.answer('1', 'late');
    expect(shown).toEqual(['0 …']);
    await vi.advanceTimersByTimeAsync(80);
    expect(shown.at(-1)).toBe('0 1 …');
    await texts.answer('2', 'in time');
    await vi.advanceTimersByTimeAsync(500);
    expect(shown).toHaveLength(2);
    await texts.answer('3', 'late');
    expect(shown.slice(2)).toEqual(['0 1 3']);
    await vi.advanceTimersByTimeAsync(500);
    expect(shown).toHaveLength(3);
  });

  it('ends where a text can’t be read, and says how many once', async () => {
    const { texts, shown } = search('late');
    await vi.advanceTimersByTimeAsync(120);
    await texts.answer('1', null);
    await texts.answer('2', 'late');
    await texts.answer('3', null);
    expect(shown).toEqual(['0 …', '2 unread', '0 2']);
  });

  it('shows and says nothing more once it is stopped', async () => {
    const before = search('late');
    before.stop();
    await vi.advanceTimersByTimeAsync(500);
    expect(before.shown).toEqual([]);
    const during = search('late');
    await vi.advanceTimersByTimeAsync(120);
    await during.texts.answer('1', 'late');
    during.stop();
    await during.texts.answer('2', null);
    await vi.advanceTimersByTimeAsync(500);
    expect(during.shown).toEqual(['0 …']);
  });
});
