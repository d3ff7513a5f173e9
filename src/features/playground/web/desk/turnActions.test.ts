// Texts that are saved into messages, also while answers are on their way over real HTTP.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { readToasts } from '#ui/kit/toast.ts';
import { setDraft, stopPane } from './actions.ts';
import {
  answer,
  FINISH,
  pane,
  prepare,
  says,
  setStage,
  start,
  until,
  type Call,
} from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from './deskStore.ts';
import { regenerate, saveAndRun, sendMessage } from '#features/playground/web/sending/runActions.ts';
import { insertTurn, joinTurns, openInsert, removeUnanswered, saveTurn, writeUnsaved } from './turnActions.ts';

const { service } = setStage(createServer);
const TEXT = { content: 'In my own words' };
const turnId = (index: number): string => pane(0).turns[index]?.id ?? '';
const write = (index: number): void => writeUnsaved({ kind: 'edit', turnId: turnId(index), text: TEXT });
const unsaved = (): readonly string[] => (readDesk().unsaved ?? []).map(({ text }) => text.content);

/** A message with its answer, which is then asked for once more. */
async function regenerating(): Promise<{ readonly call: Call; readonly ended: Promise<void> }> {
  prepare(['a']);
  const sent = sendMessage(null);
  start(await service.call('a'), says('First'), FINISH);
  await sent;
  const ended = regenerate(null, pane(0).id, turnId(1));
  const call = await service.call('a', 1);
  start(call, says('Second'));
  await until(() => answer(0)?.message.text === 'Second');
  return { call, ended };
}

it('a text that an answer on its way does not take stays in its editor, and is taken afterwards', async () => {
  const { call, ended } = await regenerating();
  write(1);
  saveTurn(pane(0).id, turnId(1), TEXT);
  await saveAndRun(null, pane(0).id, turnId(1), TEXT);
  expect([answer(0)?.message.text, unsaved()]).toEqual(['Second', ['In my own words']]);
  call.response.end(FINISH);
  await ended;
  saveTurn(pane(0).id, turnId(1), TEXT);
  expect([answer(0)?.message.text, unsaved()]).toEqual(['In my own words', []]);
});

it('a message that can’t be run now is saved, and one that can is run: nothing of it is left over', async () => {
  const { call, ended } = await regenerating();
  write(0);
  await saveAndRun(null, pane(0).id, turnId(0), TEXT);
  expect([pane(0).turns[0], unsaved(), service.calls.length]).toMatchObject([TEXT, [], 2]);
  call.response.end(FINISH);
  await ended;
  write(0);
  const run = saveAndRun(null, pane(0).id, turnId(0), { content: 'And now' });
  expect(unsaved()).toEqual([]);
  start(await service.call('a', 2), FINISH);
  await run;
  expect(pane(0).turns[0]).toMatchObject({ content: 'And now' });
});

it('a text for a message that is gone stays', () => {
  prepare(['a']);
  writeUnsaved({ kind: 'edit', turnId: 'gone', text: TEXT });
  saveTurn(pane(0).id, 'gone', TEXT);
  expect(unsaved()).toEqual(['In my own words']);
});

it('a new message that is asked for on the other side takes along what is written', () => {
  prepare(['a']);
  insertTurn(pane(0).id, null, 'user', { content: 'One' });
  openInsert(turnId(0), 'above', 'assistant');
  writeUnsaved({ kind: 'insert', turnId: turnId(0), side: 'above', role: 'tool', text: TEXT });
  openInsert(turnId(0), 'below', 'assistant');
  expect(readDesk().unsaved).toEqual([{ kind: 'insert', turnId: turnId(0), side: 'below', role: 'tool', text: TEXT }]);
});

/** A message whose answer was stopped before it said anything. */
async function stoppedSilently(): Promise<void> {
  prepare(['a'], 'First');
  const sent = sendMessage(null);
  await service.call('a');
  stopPane(pane(0).id);
  await sent;
  setDraft('Second');
}

it('two messages without an answer between them are sent as one where that is chosen', async () => {
  await stoppedSilently();
  joinTurns(pane(0).id, turnId(0), true);
  const sent = sendMessage(null);
  const call = await service.call('a', 1);
  start(call, says('Yes'), FINISH);
  await sent;
  expect(call.body.messages).toEqual([{ role: 'user', content: 'First\n\nSecond' }]);
});

it('or the first of them is deleted with its silent answer, and comes back with Undo', async () => {
  await stoppedSilently();
  const before = pane(0).turns;
  removeUnanswered(pane(0).id, turnId(0));
  expect(pane(0).turns).toEqual([]);
  readToasts().at(-1)?.action?.onSelect();
  expect(pane(0).turns).toEqual(before);
});
