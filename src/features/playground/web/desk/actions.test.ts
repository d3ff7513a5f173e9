// What a person does with panes and settings; answers come over real HTTP.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { encodeData } from '#core/stream/sseEncode.ts';
import { readToasts } from '#ui/kit/toast.ts';
import {
  fork,
  openPane,
  preselectModel,
  removePane,
  setDraft,
  setLinked,
  setModel,
  setSettings,
  setShared,
  placePane,
  showModels,
  stopPane,
} from './actions.ts';
import {
  answer,
  FINISH,
  pane,
  prepare,
  press,
  says,
  setStage,
  start,
} from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from './deskStore.ts';
import { panePromptKey, paneSchemaKey } from './promptKey.ts';
import { runWaitingMessage, sendMessage } from '#features/playground/web/sending/runActions.ts';
import { insertTurn, saveTurn, shiftTurn } from './turnActions.ts';

const { service, address } = setStage(createServer);

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
    expect([readDesk().panes.map((each) => each.model), address.entries]).toEqual([
      ['a', 'b'],
      ['replace /?models=a,b'],
    ]);
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
    address.search = '';
    showModels(['', '']);
    preselectModel('other');
    expect(pane(0).model).toBe('');
  });

  it('take no suggested model while the address names models that the panes don’t have yet', () => {
    showModels([]);
    address.search = '?models=a,b';
    preselectModel('ft');
    expect([pane(0).model, address.entries]).toEqual(['', []]);
  });
});

describe('a pane more', () => {
  async function asked(): Promise<void> {
    prepare(['a'], 'Hi');
    const sent = sendMessage(null);
    start(await service.call('a'), says('1'), FINISH);
    await sent;
  }

  async function askedTwice(): Promise<void> {
    await asked();
    setDraft('And?');
    const sent = sendMessage(null);
    start(await service.call('a', 1), says('2'), FINISH);
    await sent;
  }

  it('of another model has the question, and answers it by itself', async () => {
    await asked();
    openPane('b');
    expect(pane(1).turns).toMatchObject([{ role: 'user', content: 'Hi' }]);
    setDraft('Not this');
    const sent = runWaitingMessage(null, pane(1).id);
    const call = await service.call('b');
    start(call, says('2'), FINISH);
    await sent;
    expect([call.body.messages, readDesk().draft]).toMatchObject([[{ content: 'Hi' }], 'Not this']);
  });

  it('of another model first answers all questions that it took over, one after the other', async () => {
    await askedTwice();
    openPane('b');
    setDraft('So?');
    const sent = sendMessage(null);
    expect(pane(1).turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    start(await service.call('a', 2), says('3'), FINISH);
    for (const [nth, text] of ['x', 'y', 'z'].entries()) start(await service.call('b', nth), says(text), FINISH);
    await sent;
    const last = await service.call('b', 2);
    expect(last.body.messages.map(({ content }) => content)).toEqual(['Hi', 'x', 'And?', 'y', 'So?']);
    expect((await service.call('b', 0)).body.messages.map(({ content }) => content)).toEqual(['Hi']);
    expect(answer(1)?.message.text).toBe('z');
    expect(JSON.stringify(pane(1).turns)).not.toContain('isTakenOver');
  });

  it('continues with the questions that it took over after a stop, without an extra turn', async () => {
    await asked();
    openPane('b');
    setDraft('So?');
    const sent = sendMessage(null);
    start(await service.call('a', 1), says('2'), FINISH);
    await service.call('b', 0);
    stopPane(pane(1).id);
    await sent;
    expect(service.calls.filter(({ body }) => body.model === 'b')).toHaveLength(1);
    const again = runWaitingMessage(null, pane(1).id);
    for (const nth of [1, 2]) start(await service.call('b', nth), says(String(nth)), FINISH);
    await again;
    expect((await service.call('b', 2)).body.messages.map(({ content }) => content)).toEqual(['Hi', '1', 'So?']);
    expect(pane(1).turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('waits with the next question where an answer calls a tool', async () => {
    await askedTwice();
    openPane('b');
    const sent = runWaitingMessage(null, pane(1).id);
    start(
      await service.call('b', 0),
      encodeData(
        JSON.stringify({
          choices: [
            {
              index: 0,
              delta: {
                tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
              },
            },
          ],
        }),
      ),
      FINISH,
    );
    await sent;
    expect(service.calls.filter(({ body }) => body.model === 'b')).toHaveLength(1);
    expect(pane(1).turns).toMatchObject([
      { role: 'user' },
      { role: 'assistant', versions: [{ phase: 'done', message: { toolCalls: [{ name: 'f' }] } }] },
      { role: 'user' },
    ]);
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
    expect([a.body.messages[0]?.content, b.body.messages[0]?.content, b.body.messages.length]).toEqual([
      'Hi',
      'changed',
      3,
    ]);
  });

  it('by a fork from a message has what was said up to it; panes change places', async () => {
    await asked();
    fork(pane(0).id, pane(0).turns[0]?.id ?? null);
    expect([readDesk().panes.map((each) => each.turns.length), address.entries.at(-1)]).toEqual([
      [2, 1],
      'push /?models=a,a',
    ]);
    setModel(pane(1).id, 'b');
    placePane(pane(1).id, 0);
    expect([readDesk().panes.map((each) => [each.model, each.turns.length]), address.entries.at(-1)]).toEqual([
      [
        ['b', 1],
        ['a', 2],
      ],
      'replace /?models=b,a',
    ]);
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
  expect(call.body.messages.map(({ role, content }) => `${role} ${content}`)).toEqual([
    'user One',
    'assistant Zero',
    'user Two',
    'assistant 2',
    'user Three',
  ]);
});

it('linking a pane that had other values offers Undo, which restores them', () => {
  showModels(['a', 'b']);
  const { id } = pane(1);
  setLinked(id, ['temperature', 'systemPrompt'], false);
  setLinked(id, ['temperature', 'systemPrompt'], true);
  expect(readToasts()).toEqual([]);
  setLinked(id, ['temperature', 'systemPrompt'], false);
  setSettings(id, { temperature: 1.5, systemPrompt: 'Mine.' });
  setLinked(id, ['temperature', 'systemPrompt'], true);
  expect(pane(1).own).toEqual({});
  press('The pane has the settings of the linked panes again');
  expect(pane(1).own).toMatchObject({ temperature: 1.5, systemPrompt: 'Mine.' });
});

it('keeps which system prompt and schema each answer was asked under', async () => {
  prepare(['a'], 'Hi');
  setShared({ systemPrompt: 'One.' });
  const sent = sendMessage(null);
  start(await service.call('a'), says('1'), FINISH);
  await sent;
  expect(answer(0)?.promptKey).toBe(panePromptKey(readDesk(), pane(0)));
  expect(answer(0)?.schemaKey).toBe(paneSchemaKey(readDesk(), pane(0)));
  setShared({ systemPrompt: 'Two.' });
  expect(answer(0)?.promptKey).not.toBe(panePromptKey(readDesk(), pane(0)));
  setShared({ schema: { name: '', text: '{"type":"object"}', strict: true, check: true } });
  expect(answer(0)?.schemaKey).not.toBe(paneSchemaKey(readDesk(), pane(0)));
});
