// The stored conversations over several lives of a page.
import { describe, expect, it, vi } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { encodeData } from '#core/stream/sseEncode.ts';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import { isRetryable } from '#features/playground/web/desk/sampleRetry.ts';
import {
  keepStorage,
  openPage,
  pass,
  putRecords,
  readRecords,
  readStored,
  toMessage,
} from '#features/playground/web/deskPage.fixture.ts';
import { toStoredDesk } from './deskRecords.ts';

const kept = keepStorage();
const open = (search = '') =>
  openPage(
    async () => ({
      actions: {
        ...(await import('#features/playground/web/desk/actions.ts')),
        ...(await import('#features/playground/web/desk/turnActions.ts')),
      },
      ...(await import('#features/playground/web/sending/runActions.ts')),
    }),
    { search },
  );
type Page = Awaited<ReturnType<typeof open>>;
const deskId = (): string => kept.session.get('studio.desk') ?? '';
const answer = (more: Partial<Answer> = {}): AnswerTurn =>
  toAnswerTurn('a', [{ ...toPendingAnswer('a', 'a', 5), ...more }]);
const says = (content: string): string => encodeData(JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));

describe('a reload', () => {
  it('starts empty where nothing is stored, and says nothing', async () => {
    const page = await open();
    expect([page.readDesk(), page.store.useDesk.getState().storage]).toEqual([
      EMPTY_DESK,
      { isLoaded: true, problem: null },
    ]);
    expect(kept.database.writes).toEqual([]);
  });

  it('brings back what was there a second ago', async () => {
    const page = await open();
    const desk: Desk = {
      panes: [{ ...toPane('p', 'a'), turns: [toMessage('1'), answer({ phase: 'done' })] }],
      parked: [{ ...toPane('q', 'b'), turns: [toMessage('3')] }],
      draft: 'half',
      shared: { systemPrompt: 'Be brief.', temperature: 0.2 },
    };
    page.change(desk);
    await pass(1000);
    expect((await open()).readDesk()).toEqual(desk);
  });

  it('loads once, however often it is asked', async () => {
    const page = await open();
    page.change({ draft: 'typed since' });
    await page.saver.openDeskSaver();
    expect(page.readDesk().draft).toBe('typed since');
  });
});

describe('writing', () => {
  it('does not wait where a person moves, deletes, edits or adds a message', async () => {
    const page = await open();
    page.change({ panes: [{ ...toPane('p', 'a'), turns: ['1', '2', '3'].map((id) => toMessage(id)) }] });
    await pass(1000);
    const turns = async () =>
      (await open()).readDesk().panes[0]?.turns.map((turn) => ('content' in turn ? turn.content : ''));
    const acts: readonly (readonly [() => void, readonly string[]])[] = [
      [() => page.actions.shiftTurn('p', '3', -1), ['message 1', 'message 3', 'message 2']],
      [() => page.actions.removeTurn('p', '1'), ['message 3', 'message 2']],
      [() => page.actions.saveTurn('p', '2', { content: 'Other words.' }), ['message 3', 'Other words.']],
      [() => page.actions.insertTurn('p', '2', 'user', { content: 'New.' }), ['message 3', 'Other words.', 'New.']],
    ];
    for (const [act, expected] of acts) {
      const { length } = kept.database.writes;
      act();
      await pass(0);
      expect(kept.database.writes).toHaveLength(length + 1);
      expect(await turns()).toEqual(expected);
    }
    page.change({ draft: 'being typed' });
    const { length } = kept.database.writes;
    await pass(500);
    expect(kept.database.writes).toHaveLength(length);
  });
});

describe('a message', () => {
  /** Sends a message; the service's answer is written by hand. */
  async function send(
    page: Page,
  ): Promise<{ readonly atRequest: () => readonly unknown[] | null; readonly write: (text: string) => void }> {
    let stored: readonly unknown[] | null = null;
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pipe.writable.getWriter();
    vi.stubGlobal('fetch', async () => {
      stored = (await readRecords()).map(([, value]) => value);
      return new Response(pipe.readable, { headers: { 'content-type': 'text/event-stream' } });
    });
    page.change({ panes: [toPane('p', 'a')], draft: 'Hello' });
    void page.sendMessage(null);
    await pass(0);
    return { atRequest: () => stored, write: (text) => void writer.write(new TextEncoder().encode(text)) };
  }

  it('is stored before it is sent', async () => {
    const { atRequest } = await send(await open());
    expect(atRequest()).toContainEqual(expect.objectContaining({ role: 'user', content: 'Hello' }));
    expect(atRequest()).toContainEqual(
      expect.objectContaining({ role: 'assistant', versions: [expect.objectContaining({ phase: 'sending' })] }),
    );
  });

  it('and the part of its answer that came stand there after a reload in mid-stream, interrupted', async () => {
    const page = await open();
    const { write } = await send(page);
    write(says('Half an'));
    await pass(1100);
    const desk = (await open()).readDesk();
    expect(desk.panes[0]?.turns).toMatchObject([
      { content: 'Hello' },
      { versions: [{ phase: 'interrupted', message: { text: 'Half an' } }] },
    ]);
  });

  it('is sent after a moment, where storing it hangs', async () => {
    const page = await open();
    kept.database.hold();
    const { atRequest } = await send(page);
    await pass(399);
    expect(atRequest()).toBeNull();
    await pass(1);
    expect(atRequest()).toEqual([]);
  });

  it('is sent where nothing can be stored', async () => {
    kept.database.isClosed = true;
    const page = await open();
    const { atRequest } = await send(page);
    expect(atRequest()).toEqual([]);
  });
});

it('what was on show when the page went is there again though the last write never ended', async () => {
  const page = await open();
  const streaming = answer({ phase: 'streaming', message: { ...EMPTY_MESSAGE, text: 'Half' } });
  page.change({ panes: [{ ...toPane('p', 'a'), turns: [toMessage('1'), streaming] }] });
  await pass(1000);
  kept.database.hold();
  const whole = answer({ phase: 'done', message: { ...EMPTY_MESSAGE, text: 'The whole answer.' } });
  page.change({ panes: [{ ...toPane('p', 'a'), turns: [toMessage('1'), whole] }], draft: 'next' });
  page.window.dispatchEvent(new Event('pagehide'));
  expect((await open()).readDesk()).toEqual(page.readDesk());
});

describe('several tabs', () => {
  it('mark a streaming answer as copied while the original tab still streams it', async () => {
    const locks = new MemoryLocks();
    vi.stubGlobal('navigator', { locks });
    const first = await open();
    const answer: Answer = { ...toPendingAnswer('a', 'm', 1), phase: 'streaming' };
    const turn: Turn = { id: 't', role: 'assistant', versions: [answer], shown: 0 };
    first.change({ panes: [{ ...toPane('p', 'm'), turns: [toMessage('1'), turn] }] });
    await pass(1000);
    const copied = { versions: [{ id: 'a', phase: 'interrupted', isCopied: true }] };
    const [pane] = (await open()).readDesk().panes;
    expect(pane?.turns[1]).toMatchObject(copied);
    expect(pane && isRetryable(pane)).toBe(false);
    // It stays so in the copy.
    await pass(1000);
    locks.held.clear();
    expect((await open()).readDesk().panes[0]?.turns[1]).toMatchObject(copied);
  });

  it.each([
    ['?models=a', 1],
    ['', 1],
    ['?models=b', 0],
    ['?models=a,b', 0],
  ])(
    'go on with the newest conversation in a new one, unless the link %j asks for other models',
    async (search, panes) => {
      vi.stubGlobal('navigator', { locks: new MemoryLocks() });
      const stored = {
        ...toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [toMessage('1')] }] }),
        savedAt: 1,
      };
      await putRecords([['old', 'desk', ''], stored], [['old', 'turn', '1'], toMessage('1')]);
      const page = await open(search);
      page.change({ draft: 'new' });
      await pass(1000);
      expect(page.readDesk().panes).toHaveLength(panes);
      expect(deskId() === 'old').toBe(panes === 1);
      expect(await readStored(['old', 'desk', ''])).toMatchObject({
        panes: [{ model: 'a', turnIds: ['1'] }],
        draft: panes === 1 ? 'new' : '',
      });
    },
  );

  it('find a session that another tab has open with the models of the address', async () => {
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const talk = (model: string) => ({ panes: [{ ...toPane('p', model), turns: [toMessage('1')] }] });
    await putRecords(
      [['old', 'desk', ''], { ...toStoredDesk({ ...EMPTY_DESK, ...talk('b') }), savedAt: 1 }],
      [['old', 'turn', '1'], toMessage('1')],
    );
    const first = await open('?models=a');
    first.change({ ...talk('a'), title: 'Mine' });
    await first.saver.saveNow();
    kept.session.clear();
    const page = await open('?models=a');
    expect(page.saver.takeDisplacedSession()).toMatchObject({ id: 'old', elsewhereTitle: 'Mine' });
    expect(page.readDesk().panes).toEqual([]);
  });

  it.each([
    ['another', '?models=b', [toMessage('1')], []],
    ['the same', '?models=a', [toMessage('1')], ['a']],
    ['none', '', [toMessage('1')], ['a']],
    ['another, before anything was said,', '?models=b', [], ['a']],
  ])(
    'leave the own session whole at a load whose address asks for other models: %s',
    async (_what, search, turns, models) => {
      const locks = new MemoryLocks();
      vi.stubGlobal('navigator', { locks });
      const first = await open('?models=a');
      const id = deskId();
      first.change({ ...EMPTY_DESK, title: 'Mine', panes: [{ ...toPane('p', 'a'), turns }] });
      await first.saver.saveNow();
      locks.held.clear();
      const page = await open(search);
      const isDisplaced = models.length === 0;
      expect(page.readDesk().panes.map(({ model }) => model)).toEqual(models);
      expect([page.saver.takeDisplacedSession(), page.saver.takeDisplacedSession()]).toEqual([
        isDisplaced ? { id, title: 'Mine', elsewhereTitle: null } : null,
        null,
      ]);
      expect(deskId() === id).toBe(!isDisplaced);
      expect(await readStored([id, 'desk', ''])).toMatchObject({
        title: 'Mine',
        panes: [{ model: 'a' }],
        parked: [],
      });
    },
  );

  it('keep the blank desks that were written last, and delete the others with all their records', async () => {
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const key = (index: number): string => `desk${String(index).padStart(2, '0')}`;
    for (let index = 0; index < 15; index += 1)
      await putRecords(
        [[key(index), 'desk', ''], { ...toStoredDesk(EMPTY_DESK), savedAt: index }],
        [[key(index), 'turn', 't'], toMessage('t')],
      );
    await open();
    const records = await readRecords();
    const remaining = [...new Set(records.map(([[desk]]) => desk))];
    expect(remaining).toEqual(Array.from({ length: 12 }, (_, index) => key(index + 3)));
    expect(records).toHaveLength(24);
  });
});

it.each<[string, unknown, string, 'desk' | 'aside']>([
  ['another version', { ...toStoredDesk(EMPTY_DESK), version: 9 }, 'newer version', 'desk'],
  [
    'a pane without its turns',
    toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [toMessage('lost')] }] }),
    'Some stored conversations were damaged',
    'aside',
  ],
  ['no desk at all', 'garbage', 'The stored conversations were damaged', 'aside'],
])(
  'a problem with what is stored is said, and can be dismissed; nothing of it is wiped: %s',
  async (_what, value, words, place) => {
    kept.session.set('studio.desk', 'mine');
    await putRecords([['mine', 'desk', ''], value], [['mine', 'turn', 'x'], 'unreadable']);
    const page = await open();
    expect(page.readProblem()).toContain(words);
    page.actions.dismissStorageProblem();
    expect(page.readProblem()).toBeNull();
    page.change({ draft: 'goes on' });
    await pass(1000);
    const next = await open();
    expect(next.readDesk().draft).toBe('goes on');
    // A newer studio's record stays where it was; one that is damaged is put aside.
    expect(await readStored(['mine', place, place === 'desk' ? '' : '1000000'])).toEqual(value);
    expect(await readStored(['mine', 'turn', 'x'])).toBe('unreadable');
  },
);
