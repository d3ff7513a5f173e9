// Answers that are asked for again, over real HTTP: each is a version more, and nothing that was said is lost.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { setDraft, setModel, stopAll, stopPane } from '#features/playground/web/desk/actions.ts';
import {
  answer,
  FINISH,
  pane,
  phases,
  prepare,
  press,
  says,
  setStage,
  start,
  until,
} from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { findSameMessages } from '#features/playground/web/desk/turns.ts';
import { readToasts } from '#ui/kit/toast.ts';
import { regenerate, retryFailed, retryPane, saveAndRun, sendMessage } from './runActions.ts';

const { service } = setStage(createServer);

/** The texts of all versions of a turn. */
function versionsOf(index: number, turnIndex: number): readonly string[] {
  const turn = pane(index).turns[turnIndex];
  return turn?.role === 'assistant' ? turn.versions.map(({ message }) => message.text) : [];
}

async function ask(draft: string, text: string, nth: number): Promise<void> {
  setDraft(draft);
  const sent = sendMessage(null);
  start(await service.call('a', nth), says(text), FINISH);
  await sent;
}

describe('retrying', () => {
  async function answered(): Promise<void> {
    prepare(['a']);
    await ask('Hi', 'the old answer', 0);
  }

  it('adds a version and shows it, and asks with what was said before the answer', async () => {
    await answered();
    const retried = retryPane(null, pane(0).id);
    expect(answer(0)).toMatchObject({ phase: 'sending', message: { text: '' } });
    const call = await service.call('a', 1);
    expect(call.body['messages']).toEqual([{ role: 'user', content: 'Hi' }]);
    start(call, says('new'), FINISH);
    await retried;
    expect([pane(0).turns.length, versionsOf(0, 1), answer(0)?.message.text]).toEqual([
      2,
      ['the old answer', 'new'],
      'new',
    ]);
  });

  it('keeps the old answer where the new one fails, and what had come of that', async () => {
    await answered();
    const retried = retryPane(null, pane(0).id);
    const call = await service.call('a', 1);
    start(call, says('Half'));
    await until(() => answer(0)?.message.text === 'Half');
    call.response.destroy();
    await retried;
    expect([versionsOf(0, 1), answer(0)?.phase]).toEqual([['the old answer', 'Half'], 'interrupted']);
  });

  it('takes the place of a version that failed without a word', async () => {
    await answered();
    const failed = retryPane(null, pane(0).id);
    (await service.call('a', 1)).response.writeHead(503).end('{"error":"busy"}');
    await failed;
    expect([versionsOf(0, 1), answer(0)]).toMatchObject([
      ['the old answer', ''],
      { phase: 'failed', failure: { message: 'busy' } },
    ]);
    const retried = retryPane(null, pane(0).id);
    start(await service.call('a', 2), says('new'), FINISH);
    await retried;
    expect(versionsOf(0, 1)).toEqual(['the old answer', 'new']);
  });

  it('asks the model that the pane has now, and can be stopped', async () => {
    await answered();
    setModel(pane(0).id, 'b');
    expect(answer(0)?.model).toBe('a');
    const retried = retryPane(null, pane(0).id);
    const call = await service.call('b');
    stopPane(pane(0).id);
    await Promise.all([retried, call.gone]);
    expect([answer(0)?.phase, answer(0)?.model, versionsOf(0, 1)]).toEqual(['stopped', 'b', ['the old answer', '']]);
  });

  it('does nothing where there is nothing to ask again, or an answer is on its way', async () => {
    prepare(['a']);
    await retryPane(null, pane(0).id);
    await retryPane(null, 'none');
    const sent = sendMessage(null);
    await service.call('a');
    await retryPane(null, pane(0).id);
    expect(service.calls).toHaveLength(1);
    stopAll();
    await sent;
  });

  it('asks again wherever an answer failed, and nowhere else', async () => {
    prepare(['good', 'bad', 'cut']);
    const sent = sendMessage(null);
    start(await service.call('good'), says('fine'), FINISH);
    (await service.call('bad')).response.writeHead(500).end('{"error":"broken"}');
    const cut = await service.call('cut');
    start(cut);
    cut.response.end();
    await sent;
    const retried = retryFailed(null);
    for (const model of ['bad', 'cut']) start(await service.call(model, 1), says('now'), FINISH);
    await retried;
    expect([phases(), service.calls.length]).toEqual([['done', 'done', 'done'], 5]);
  });
});

describe('in the middle of a conversation', () => {
  async function talked(): Promise<readonly string[]> {
    prepare(['a']);
    await ask('One', '1', 0);
    await ask('Two', '2', 1);
    return pane(0).turns.map((turn) => turn.id);
  }

  it('an answer gets a version more, and what follows stays', async () => {
    const [, first] = await talked();
    const asked = regenerate(null, pane(0).id, first ?? '');
    const call = await service.call('a', 2);
    expect(call.body.messages).toEqual([{ role: 'user', content: 'One' }]);
    start(call, says('I'), FINISH);
    await asked;
    expect([versionsOf(0, 1), versionsOf(0, 3), pane(0).turns.length]).toEqual([['1', 'I'], ['2'], 4]);
  });

  it('a message that is changed and run replaces what follows; undoing brings all of it back', async () => {
    const [first] = await talked();
    const before = pane(0).turns;
    const asked = saveAndRun(null, pane(0).id, first ?? '', { content: 'Uno' });
    const call = await service.call('a', 2);
    expect(call.body.messages).toEqual([{ role: 'user', content: 'Uno' }]);
    start(call, says('uno'), FINISH);
    await asked;
    expect([pane(0).turns.length, versionsOf(0, 1)]).toEqual([2, ['1', 'uno']]);
    press('2 later messages replaced');
    expect([pane(0).turns[0], pane(0).turns.slice(2), versionsOf(0, 1), pane(0).turns[1]]).toMatchObject([
      before[0]!,
      before.slice(2),
      ['1', 'uno'],
      { shown: 0 },
    ]);
  });

  it('a message that is changed in all panes says how many could not run it', async () => {
    prepare(['a', 'b'], 'One');
    const sent = sendMessage(null);
    for (const model of ['a', 'b']) start(await service.call(model), says(model), FINISH);
    await sent;
    const [message] = pane(0).turns;
    const others = findSameMessages(readDesk(), pane(0).id, message?.id ?? '');
    const busy = regenerate(null, pane(1).id, pane(1).turns[1]?.id ?? '');
    const second = await service.call('b', 1);
    const gone = { paneId: 'gone', turnId: 'gone' };
    const asked = saveAndRun(null, pane(0).id, message?.id ?? '', { content: 'Uno' }, [...others, gone]);
    expect(readToasts().map(({ text }) => text)).toEqual([
      '1 pane could not run it: an answer is being generated there, or no model is chosen. The text is saved. ' +
        'Not changed in 1 pane: the message was deleted or is still being written.',
    ]);
    expect(pane(1).turns[0]).toMatchObject({ content: 'Uno' });
    start(await service.call('a', 1), says('uno'), FINISH);
    start(second, says('late'), FINISH);
    await Promise.all([asked, busy]);
  });

  it('a message that is changed in all panes is asked in all, and undone in all', async () => {
    prepare(['a', 'b'], 'One');
    for (const text of ['One', 'Two']) {
      setDraft(text);
      const sent = sendMessage(null);
      const nth = text === 'One' ? 0 : 1;
      for (const model of ['a', 'b']) start(await service.call(model, nth), says(text), FINISH);
      await sent;
    }
    const turnId = pane(0).turns[0]?.id ?? '';
    const others = findSameMessages(readDesk(), pane(0).id, turnId);
    const asked = saveAndRun(null, pane(0).id, turnId, { content: 'Uno' }, others);
    for (const model of ['a', 'b']) {
      const call = await service.call(model, 2);
      expect(call.body.messages).toEqual([{ role: 'user', content: 'Uno' }]);
      start(call, says('uno'), FINISH);
    }
    await asked;
    expect([pane(0).turns.length, pane(1).turns.length]).toEqual([2, 2]);
    press('4 later messages replaced');
    for (const index of [0, 1])
      expect(pane(index).turns).toMatchObject([{ content: 'One' }, {}, { content: 'Two' }, {}]);
  });
});
