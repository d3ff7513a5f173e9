// Panes and messages that go, and what brings them back; answers come over real HTTP.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  clearConversations,
  removePane,
  reopenClosed,
  resetSettings,
  setSettings,
  setShared,
  showModels,
} from './actions.ts';
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
import { readDesk } from './deskStore.ts';
import { sendMessage } from '#features/playground/web/sending/runActions.ts';
import { insertTurn, removeTurn } from './turnActions.ts';

const { service, address } = setStage(createServer);

describe('panes that leave', () => {
  it('by their close button are stopped; the conversation comes back with the model', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    const [a, b] = [await service.call('a'), await service.call('b')];
    start(a, says('Half'));
    await until(() => answer(0)?.message.text === 'Half');
    removePane(pane(0).id);
    await a.gone;
    start(b, FINISH);
    await sent;
    showModels(['a', 'b']);
    expect(answer(0)).toMatchObject({ phase: 'stopped', message: { text: 'Half' } });
  });

  it('by the address go on in the background', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    start(await service.call('b'), FINISH);
    const a = await service.call('a');
    showModels(['b']);
    start(a, says('Still here'), FINISH);
    await sent;
    showModels(['a']);
    expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'Still here' } });
  });

  it('by their close button while the message is still being stored are stopped and don’t wait for ever', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    removePane(pane(0).id);
    start(await service.call('b'), FINISH);
    await sent;
    showModels(['a', 'b']);
    expect([phases(), service.calls.length]).toEqual([['stopped', 'done'], 1]);
  });

  it('by the address while the message is still being stored still send their request', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    showModels(['b']);
    for (const model of ['a', 'b']) start(await service.call(model), says('There'), FINISH);
    await sent;
    showModels(['a', 'b']);
    expect(phases()).toEqual(['done', 'done']);
  });

  it('by being cleared while the message is still being stored send nothing', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    clearConversations();
    await sent;
    expect([service.calls.length, pane(0).turns]).toEqual([0, []]);
  });
});

it('clearing stops what is on its way and forgets every conversation in view', async () => {
  prepare(['a', 'b']);
  setShared({ systemPrompt: 'Be brief.' });
  const sent = sendMessage(null);
  const calls = [await service.call('a'), await service.call('b')];
  start(calls[0]!, says('Half'));
  await until(() => answer(0)?.message.text === 'Half');
  clearConversations();
  await Promise.all([sent, ...calls.map((call) => call.gone)]);
  expect(readDesk().panes.map((each) => [each.model, each.turns.length])).toEqual([
    ['a', 0],
    ['b', 0],
  ]);
  expect(readDesk().shared.systemPrompt).toBe('Be brief.');
});

it('the pane closed last comes back first', () => {
  prepare(['a', 'b', 'c']);
  for (const each of readDesk().panes) insertTurn(each.id, null, 'user', { content: each.model });
  removePane(pane(0).id);
  removePane(pane(0).id);
  reopenClosed();
  expect(readDesk().panes.map((each) => each.model)).toEqual(['c', 'b']);
  reopenClosed();
  reopenClosed();
  expect([readDesk().panes.map((each) => each.model), readDesk().parked]).toEqual([['c', 'b', 'a'], []]);
});

describe('taking back', () => {
  /** A pane with `a` and one with `b`, each with a message and an answer. */
  async function talked(): Promise<void> {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    for (const model of ['a', 'b']) start(await service.call(model), says(`I am ${model}`), FINISH);
    await sent;
  }

  it('clearing brings the conversations back', async () => {
    await talked();
    const before = readDesk().panes;
    clearConversations();
    expect(readDesk().panes.map((each) => each.turns.length)).toEqual([0, 0]);
    press('Conversations cleared');
    expect(readDesk().panes).toEqual(before);
    clearConversations(pane(1).id);
    expect(readDesk().panes.map((each) => each.turns.length)).toEqual([2, 0]);
    press('Conversation cleared');
    expect(readDesk().panes).toEqual(before);
  });

  it('closing brings the pane back to its place and into the address', async () => {
    await talked();
    const before = readDesk().panes;
    removePane(pane(0).id);
    press('Pane 1 closed');
    expect([readDesk().panes, readDesk().parked, address.entries.at(-1)]).toEqual([before, [], 'push /?models=a,b']);
  });

  it('deleting brings the message back; an answer on its way is stopped', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    const call = await service.call('a');
    start(call, says('Half'));
    await until(() => answer(0)?.message.text === 'Half');
    removeTurn(pane(0).id, pane(0).turns[1]?.id ?? '');
    await Promise.all([sent, call.gone]);
    expect(pane(0).turns).toHaveLength(1);
    press('Message deleted');
    expect(answer(0)).toMatchObject({ phase: 'stopped', message: { text: 'Half' } });
  });

  it('resetting brings the parameters back, and leaves the system prompt alone', () => {
    showModels(['a']);
    setShared({ systemPrompt: 'Be brief.' });
    setSettings(pane(0).id, { temperature: 0, seed: 3 });
    resetSettings(pane(0).id, ['temperature', 'seed']);
    expect(readDesk().shared).toEqual({ systemPrompt: 'Be brief.' });
    press('Parameters reset');
    expect(readDesk().shared).toEqual({ systemPrompt: 'Be brief.', temperature: 0, seed: 3 });
  });
});
