// Undo after its pane was closed, and panes that leave because of the address.
import { createServer } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { dismissToast, readToasts } from '#ui/kit/toast.ts';
import {
  clearConversations,
  openPane,
  removePane,
  reopenClosed,
  resetSettings,
  setSettings,
  showModels,
} from './actions.ts';
import { pane, prepare, press, setStage } from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from './deskStore.ts';
import { toModels } from './panes.ts';
import { insertTurn, removeTurn } from './turnActions.ts';

const stage = setStage(createServer);
const CLOSED = 'It was restored in a pane that you have closed since.';
const NOTHING = 'Nothing to undo: it was restored already, or its pane was closed.';
const texts = (): readonly string[] => readToasts().map(({ text }) => text);
const said = (turns: ReturnType<typeof pane>['turns']): readonly unknown[] =>
  turns.map((turn) => turn.role === 'user' && turn.content);

beforeEach(() => {
  for (const { id } of readToasts()) dismissToast(id);
  prepare(['a', 'b'], '');
  insertTurn(pane(0).id, null, 'user', { content: 'One' });
});

describe('after its pane was closed', () => {
  it('a cleared conversation comes back among the closed panes, which is said, and can be reopened', () => {
    const { id } = pane(0);
    clearConversations();
    removePane(id);
    expect(readDesk().parked).toEqual([]);
    press('Conversations cleared');
    expect([toModels(readDesk()), readDesk().parked.map(({ turns }) => said(turns))]).toEqual([['b'], [['One']]]);
    press(CLOSED);
    expect([toModels(readDesk()), said(pane(1).turns), readDesk().parked, stage.address.search]).toEqual([
      ['b', 'a'],
      ['One'],
      [],
      '?models=b,a',
    ]);
  });

  it('a cleared conversation stands before what was said since, in the closed pane', () => {
    const { id } = pane(0);
    clearConversations(id);
    insertTurn(id, null, 'user', { content: 'Two' });
    removePane(id);
    press('Conversation cleared');
    reopenClosed();
    expect(said(pane(1).turns)).toEqual(['One', 'Two']);
    expect(texts()).toContain(CLOSED);
  });

  it('a deleted message comes back in it', () => {
    const { id } = pane(0);
    removeTurn(id, pane(0).turns[0]?.id ?? '');
    removePane(id);
    press('Message deleted');
    press(CLOSED);
    expect(said(pane(1).turns)).toEqual(['One']);
  });

  it('what can’t be taken back is said', () => {
    const { id } = pane(1);
    setSettings(id, { temperature: 1 });
    resetSettings(id, ['temperature']);
    removePane(id);
    press('Parameters reset');
    expect(texts()).toContain(NOTHING);
  });
});

it('a closed pane without room stays closed, and a toast says so', () => {
  removePane(pane(0).id);
  for (let count = 1; count < MAX_MODELS; count += 1) openPane('b');
  press('Pane 1 closed');
  expect(texts()).toEqual([`There can be ${MAX_MODELS} panes at most. Close one, then use “Reopen closed pane”.`]);
  removePane(pane(1).id);
  reopenClosed();
  expect(said(pane(MAX_MODELS - 1).turns)).toEqual(['One']);
});

it('a closed pane that is back already is not said to lack room', () => {
  removePane(pane(0).id);
  reopenClosed();
  for (let count = 2; count < MAX_MODELS; count += 1) openPane('b');
  press('Pane 1 closed');
  expect(texts()).toEqual([NOTHING]);
});

it('a conversation that comes back into a pane in view needs no toast', () => {
  clearConversations();
  press('Conversations cleared');
  expect(said(pane(0).turns)).toEqual(['One']);
  expect(texts()).toEqual([]);
});

describe('an address with other models', () => {
  const LEFT = 'Replaced 1 pane; conversation saved';

  it('says which conversations leave, and they come back to their places with what was said since', () => {
    const before = readDesk().panes.map(({ id }) => id);
    showModels(['c']);
    expect([toModels(readDesk()), readDesk().parked.map(({ id }) => id)]).toEqual([['c'], [before[0]]]);
    insertTurn(pane(0).id, null, 'user', { content: 'New' });
    press(LEFT);
    expect(
      readDesk()
        .panes.map(({ id }) => id)
        .slice(0, 1),
    ).toEqual(before.slice(0, 1));
    expect([toModels(readDesk()), stage.address.search]).toEqual([['a', 'b'], '?models=a,b']);
    expect(readDesk().parked.map(({ model, turns }) => [model, said(turns)])).toEqual([['c', ['New']]]);
  });

  it('says nothing of panes in which nothing was said, nor of ones that stay', () => {
    showModels(['a']);
    showModels(['a', 'c']);
    openPane('d');
    expect(texts()).toEqual([]);
  });
});
