// What a person does with panes and settings; answers come over real HTTP.
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DONE, encodeData } from '../stream/sseEncode';
import { applyExample, clearConversations, fork, openPane, preselectModel, removePane, reopenClosed, resetSettings, setDraft, setModel, setSettings, setShared, placePane, showModels, stopAll } from './actions';
import { answer, openStage, pane, phases, start, until, type Stage } from './chatStage';
import { EMPTY_DESK } from './desk';
import { changeDesk, readDesk } from './deskStore';
import { askWaiting, sendMessage } from './runActions';
import { insertTurn, removeTurn, saveTurn, shiftTurn } from './turnActions';
import { dismissToast, readToasts } from '../ui/toast';

const says = (content: string): string => encodeData(JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta: { content } }] }));
const FINISH = encodeData(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })) + DONE;

/** Two or more panes with a model each, and a message. */
function prepare(models: readonly string[], draft = 'Hi'): void {
  showModels(models);
  setDraft(draft);
}

let service: Stage['service'];
let address: Stage['address'];

beforeEach(async () => {
  ({ service, address } = await openStage((onRequest) => createServer(onRequest), vi.stubGlobal));
  changeDesk(() => EMPTY_DESK);
});

afterEach(async () => {
  stopAll();
  await service.close();
  vi.unstubAllGlobals();
});

/** Presses Undo in the newest message. */
function undo(text: string): void {
  const toast = readToasts().findLast((entry) => entry.text === text);
  if (!toast?.action) throw new Error(`Nothing to undo: ${text}`);
  dismissToast(toast.id);
  toast.action.onSelect();
}

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

  it('by their close button while the message is still being kept are stopped, not left waiting for ever', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    removePane(pane(0).id);
    start(await service.call('b'), FINISH);
    await sent;
    showModels(['a', 'b']);
    expect([phases(), service.calls.length]).toEqual([['stopped', 'done'], 1]);
  });

  it('by the address while the message is still being kept are asked all the same', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    showModels(['b']);
    for (const model of ['a', 'b']) start(await service.call(model), says('There'), FINISH);
    await sent;
    showModels(['a', 'b']);
    expect(phases()).toEqual(['done', 'done']);
  });

  it('by being cleared while the message is still being kept are not asked', async () => {
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
  expect(readDesk().panes.map((each) => [each.model, each.turns.length])).toEqual([['a', 0], ['b', 0]]);
  expect(readDesk().shared.systemPrompt).toBe('Be brief.');
});

describe('panes and the address', () => {
  it('follow the address, and one empty pane is there where it names none', () => {
    showModels([]);
    expect([readDesk().panes.map((each) => each.model), address.entries]).toEqual([[''], []]);
    showModels(['a', 'b']);
    expect(readDesk().panes.map((each) => each.model)).toEqual(['a', 'b']);
  });

  it('put the panes that were there last into an address without models', () => {
    showModels(['a', 'b']);
    showModels([]);
    expect([readDesk().panes.map((each) => each.model), address.entries]).toEqual([['a', 'b'], ['replace /?models=a,b']]);
  });

  it('write what changes into the address: going back closes an opened pane, not a choice of model', () => {
    showModels(['a']);
    openPane('ft/b');
    setModel(pane(0).id, 'c');
    removePane(pane(1).id);
    expect(address.entries).toEqual(['push /?models=a,ft%2Fb', 'replace /?models=c,ft%2Fb', 'push /?models=c']);
  });

  it('keep the conversation when the model changes', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    start(await service.call('a'), FINISH);
    await sent;
    setModel(pane(0).id, 'b');
    showModels(['b']);
    expect([pane(0).model, pane(0).turns.length]).toEqual(['b', 2]);
  });

  it('take a suggested model only where nothing was chosen or said', () => {
    showModels([]);
    preselectModel('ft');
    expect([pane(0).model, address.entries]).toEqual(['ft', ['replace /?models=ft']]);
    preselectModel('other');
    expect(pane(0).model).toBe('ft');
    showModels(['', '']);
    preselectModel('other');
    expect(pane(0).model).toBe('');
  });
});

it('fills in an example: the system prompt and the message, not sent yet', () => {
  showModels(['a']);
  applyExample('You sort tickets.', 'My invoice is wrong.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'You sort tickets.' }, draft: 'My invoice is wrong.' });
  expect(pane(0).turns).toEqual([]);
});

it('an example takes the place of a typed system prompt of a single pane alone, and that can be undone', () => {
  showModels(['a']);
  setShared({ systemPrompt: 'Mine.' });
  applyExample('You sort tickets.', 'My invoice is wrong.');
  expect(readDesk().shared.systemPrompt).toBe('You sort tickets.');
  undo('System prompt replaced.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.' }, draft: 'My invoice is wrong.' });
  showModels(['a', 'b']);
  applyExample('You take orders.', 'Two lamps.');
  expect(readDesk()).toMatchObject({ shared: { systemPrompt: 'Mine.' }, draft: 'Two lamps.' });
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
    undo('Conversations cleared');
    expect(readDesk().panes).toEqual(before);
    clearConversations(pane(1).id);
    expect(readDesk().panes.map((each) => each.turns.length)).toEqual([2, 0]);
    undo('Conversation cleared');
    expect(readDesk().panes).toEqual(before);
  });

  it('closing brings the pane back to its place and into the address', async () => {
    await talked();
    const before = readDesk().panes;
    removePane(pane(0).id);
    undo('Pane 1 closed');
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
    undo('Message deleted');
    expect(answer(0)).toMatchObject({ phase: 'stopped', message: { text: 'Half' } });
  });

  it('resetting brings the parameters back, and leaves the system prompt alone', () => {
    showModels(['a']);
    setShared({ systemPrompt: 'Be brief.' });
    setSettings(pane(0).id, { temperature: 0, seed: 3 });
    resetSettings(pane(0).id, ['temperature', 'seed']);
    expect(readDesk().shared).toEqual({ systemPrompt: 'Be brief.' });
    undo('Parameters reset');
    expect(readDesk().shared).toEqual({ systemPrompt: 'Be brief.', temperature: 0, seed: 3 });
  });
});

describe('a pane more', () => {
  async function asked(): Promise<void> {
    prepare(['a'], 'Hi');
    const sent = sendMessage(null);
    start(await service.call('a'), says('1'), FINISH);
    await sent;
  }

  it('of another model has the question, and answers it by itself', async () => {
    await asked();
    openPane('b');
    expect(pane(1).turns).toMatchObject([{ role: 'user', content: 'Hi' }]);
    setDraft('Not this');
    const sent = askWaiting(null, pane(1).id);
    const call = await service.call('b');
    start(call, says('2'), FINISH);
    await sent;
    expect([call.body.messages, readDesk().draft]).toMatchObject([[{ content: 'Hi' }], 'Not this']);
  });

  it('goes on with the same conversation, each for itself', async () => {
    await asked();
    fork(pane(0).id, null);
    setModel(pane(1).id, 'b');
    expect(answer(1)).toMatchObject({ model: 'a', message: { text: '1' } });
    saveTurn(pane(1).id, pane(1).turns[0]?.id ?? '', { content: 'changed' });
    setDraft('And?');
    const sent = sendMessage(null);
    const [a, b] = [await service.call('a', 1), await service.call('b')];
    for (const call of [a, b]) start(call, FINISH);
    await sent;
    expect([a.body.messages[0]?.content, b.body.messages[0]?.content, b.body.messages.length]).toEqual(['Hi', 'changed', 3]);
  });

  it('by a fork from a message has what was said up to it; panes change places', async () => {
    await asked();
    fork(pane(0).id, pane(0).turns[0]?.id ?? null);
    expect([readDesk().panes.map((each) => each.turns.length), address.entries.at(-1)]).toEqual([[2, 1], 'push /?models=a,a']);
    setModel(pane(1).id, 'b');
    placePane(pane(1).id, 0);
    expect([readDesk().panes.map((each) => [each.model, each.turns.length]), address.entries.at(-1)]).toEqual([[['b', 1], ['a', 2]], 'replace /?models=b,a']);
  });
});

it('messages are written in, moved, and the request follows', async () => {
  prepare(['a'], 'Two');
  const sent = sendMessage(null);
  start(await service.call('a'), says('2'), FINISH);
  await sent;
  const { id } = pane(0);
  insertTurn(id, null, 'assistant', { content: 'Zero' });
  insertTurn(id, pane(0).turns[0]?.id ?? null, 'user', { content: 'One' });
  shiftTurn(id, pane(0).turns[0]?.id ?? '', 1);
  setDraft('Three');
  const next = sendMessage(null);
  const call = await service.call('a', 1);
  start(call, FINISH);
  await next;
  expect(call.body.messages.map(({ role, content }) => `${role} ${content}`)).toEqual(['user One', 'assistant Zero', 'user Two', 'assistant 2', 'user Three']);
});
