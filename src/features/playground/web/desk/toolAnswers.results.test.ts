// Results of calls, given by a person and sent, over real HTTP.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { DONE } from '#core/stream/sseEncode.ts';
import { setDraft } from './actions.ts';
import {
  chunk,
  FINISH,
  pane,
  phases,
  prepare,
  says,
  setStage,
  start,
  until,
  type Call,
} from '#features/playground/web/chatStage.fixture.ts';
import { readDesk } from './deskStore.ts';
import { sendMessage, sendResults } from '#features/playground/web/sending/runActions.ts';
import { findOpenCalls, addResults, shareResult } from './toolAnswers.ts';

const calls = (...names: readonly string[]): string =>
  chunk({
    tool_calls: names.map((name, index) => ({
      index,
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: '{"id":1}' },
    })),
  }) +
  chunk({}, 'tool_calls') +
  DONE;

const { service } = setStage(createServer);

/** Each pane has said which tools it wants. */
async function called(answers: Readonly<Record<string, string>>): Promise<void> {
  prepare(Object.keys(answers), 'Where?');
  const sent = sendMessage(null);
  for (const [model, answer] of Object.entries(answers)) start(await service.call(model), answer);
  await sent;
}

async function finish(call: Call): Promise<void> {
  start(call, says('It is on its way.'), FINISH);
  await until(() => !phases().some((phase) => phase === 'sending' || phase === 'streaming'));
}

const told = ({ body }: Call): readonly string[] =>
  body.messages.map(({ role, content }) => `${role} ${content ?? ''}`.trim());

it('results are sent once all are there; the draft stays', async () => {
  await called({ a: calls('one', 'two') });
  setDraft('Later');
  const [open] = findOpenCalls(pane(0));
  const turnId = open?.turnId ?? '';
  addResults(pane(0).id, turnId, [{ callId: 'call_two', content: '2' }]);
  await sendResults(null, [pane(0).id]);
  expect(service.calls).toHaveLength(1);
  addResults(pane(0).id, turnId, [{ callId: 'call_one', content: '1' }]);
  const sent = sendResults(null, [pane(0).id]);
  const call = await service.call('a', 1);
  expect(told(call)).toEqual(['user Where?', 'assistant', 'tool 1', 'tool 2']);
  await finish(call);
  await sent;
  expect(readDesk().draft).toBe('Later');
});

it('one result serves the same call of another pane, and only panes that are complete go on', async () => {
  await called({ a: calls('one'), b: calls('one'), c: calls('one', 'two') });
  const [open] = findOpenCalls(pane(0));
  if (!open) throw new Error('There is no call.');
  shareResult(pane(0).id, open.call, 'sent');
  expect([0, 1, 2].map((index) => findOpenCalls(pane(index)).map(({ call }) => call.name))).toEqual([
    ['one'],
    [],
    ['two'],
  ]);
  const sent = sendResults(
    null,
    readDesk().panes.map(({ id }) => id),
  );
  const call = await service.call('b', 1);
  expect(told(call)).toEqual(['user Where?', 'assistant', 'tool sent']);
  await finish(call);
  await sent;
  expect(service.calls.map(({ body }) => body.model).toSorted()).toEqual(['a', 'b', 'b', 'c']);
});
