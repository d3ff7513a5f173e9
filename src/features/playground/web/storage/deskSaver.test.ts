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
} from '#features/playground/web/desk/desk.ts';
import { keepStorage, openPage, pass, readRecords, toMessage } from '#features/playground/web/deskPage.fixture.ts';

const kept = keepStorage();
const open = () =>
  openPage(async () => ({
    actions: {
      ...(await import('#features/playground/web/desk/actions.ts')),
      ...(await import('#features/playground/web/desk/turnActions.ts')),
    },
    ...(await import('#features/playground/web/sending/runActions.ts')),
  }));
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

  it.each<[string, (page: Page) => void, string]>([
    ['is written as the page goes', (page) => void page.window.dispatchEvent(new Event('pagehide')), 'late'],
    [
      'is written as the page hides',
      (page) => ((page.document.hidden = true), void page.document.dispatchEvent(new Event('visibilitychange'))),
      'late',
    ],
    [
      'is not written as the page comes back',
      (page) => void page.document.dispatchEvent(new Event('visibilitychange')),
      '',
    ],
  ])('what was typed last %s', async (_what, leave, expected) => {
    const page = await open();
    page.change({ draft: 'late' });
    leave(page);
    await pass(0);
    expect((await open()).readDesk().draft).toBe(expected);
  });

  it('loads once, however often it is asked', async () => {
    const page = await open();
    page.change({ draft: 'typed since' });
    await page.saver.openDeskSaver();
    expect(page.readDesk().draft).toBe('typed since');
  });
});

describe('writing', () => {
  const long: Partial<Desk> = {
    panes: [
      { ...toPane('p', 'a'), turns: [...Array.from({ length: 50 }, (_, index) => toMessage(`${index}`)), answer()] },
    ],
  };

  it('happens at most once a second, and holds only what changed', async () => {
    const page = await open();
    page.change(long);
    await pass(1000);
    expect(kept.database.writes[0]?.puts).toHaveLength(53);
    for (let at = 0; at < 3000; at += 20) {
      page.store.changeDesk((desk) => ({
        ...desk,
        panes: desk.panes.map((pane) => ({
          ...pane,
          turns: pane.turns.with(50, answer({ sentAt: at, phase: 'streaming' })),
        })),
      }));
      await pass(20);
    }
    const later = kept.database.writes.slice(1);
    expect(later).toHaveLength(3);
    for (const write of later)
      expect(write).toEqual({
        puts: ['mark', 'turn'].map((kind) => JSON.stringify([deskId(), kind, kind === 'turn' ? 'a' : ''])),
        deletes: [],
      });
  });

  it('stops when nothing changes', async () => {
    const page = await open();
    page.change({ draft: 'x' });
    await pass(60_000);
    expect([kept.database.writes.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

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

  it('forgets what was cleared', async () => {
    const page = await open();
    page.change(long);
    await pass(1000);
    page.actions.clearConversations();
    await pass(1000);
    const records = await readRecords();
    expect(records.map(([key]) => key[1]).toSorted()).toEqual(['desk', 'mark']);
    expect(JSON.stringify(records)).not.toContain('message 1');
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

describe('what was on show when the page went', () => {
  const streaming = (text: string, phase: 'streaming' | 'done' = 'streaming') =>
    answer({ phase, message: { ...EMPTY_MESSAGE, text } });
  const question = toMessage('1');
  const show = (page: Page, turn: AnswerTurn): void =>
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [question, turn] }] });
  const readAnswer = (desk: Desk) => {
    const turn = desk.panes[0]?.turns[1];
    return turn?.role === 'assistant' ? [turn.versions[0]?.phase, turn.versions[0]?.message.text] : null;
  };

  it('is there again though the last write never ended', async () => {
    const page = await open();
    show(page, streaming(''));
    await pass(1000);
    kept.database.hold();
    show(page, streaming('The whole answer.', 'done'));
    page.window.dispatchEvent(new Event('pagehide'));
    expect(readAnswer((await open()).readDesk())).toEqual(['done', 'The whole answer.']);
  });

  it('is there again without a pagehide event, except for the last tenth of a second', async () => {
    const page = await open();
    show(page, streaming(''));
    await pass(1000);
    show(page, streaming('Half an'));
    await pass(100);
    show(page, streaming('Half an answer'));
    await pass(50);
    expect(readAnswer((await open()).readDesk())).toEqual(['interrupted', 'Half an']);
  });

  it('is stored by the next page, and leaves the storage of the tab', async () => {
    const page = await open();
    show(page, streaming('All of it', 'done'));
    kept.database.hold();
    page.window.dispatchEvent(new Event('pagehide'));
    kept.database.release?.();
    expect(kept.session.has('studio.desk.tail')).toBe(true);
    await open();
    expect(kept.session.has('studio.desk.tail')).toBe(false);
    expect(readAnswer((await open()).readDesk())).toEqual(['done', 'All of it']);
  });

  it('overwrites nothing that was stored since', async () => {
    const page = await open();
    show(page, streaming('First'));
    await pass(100);
    const left = kept.session.get('studio.desk.tail') ?? '';
    show(page, streaming('First and second'));
    await pass(1000);
    kept.session.set('studio.desk.tail', left);
    expect(readAnswer((await open()).readDesk())).toEqual(['interrupted', 'First and second']);
  });

  it('does not stay in the storage of the tab while nothing is unstored', async () => {
    const page = await open();
    show(page, streaming(''));
    await pass(1000);
    show(page, streaming('Some'));
    await pass(500);
    expect(kept.session.has('studio.desk.tail')).toBe(true);
    await pass(1000);
    expect(kept.session.has('studio.desk.tail')).toBe(false);
  });
});
