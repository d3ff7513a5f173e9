// Samples of a set that failed, broke off or were stopped, asked for again over real HTTP: each in its own place.
import { createServer } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { readToasts } from '#ui/kit/toast.ts';
import { setModel, setSettings, stopAll } from '#features/playground/web/desk/actions.ts';
import {
  FINISH,
  pane,
  prepare,
  says,
  setStage,
  start,
  until,
  type Call,
} from '#features/playground/web/chatStage.fixture.ts';
import { changeAnswer, changePane, interruptAnswers, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { changeDesk } from '#features/playground/web/desk/deskStore.ts';
import { loadExchange } from '#features/playground/web/storage/exchangeSaver.ts';
import { regenerate, retryFailed, retryPane, retrySamples, sendMessage } from './runActions.ts';
import { countUnfinished } from '#features/playground/web/desk/sampleRetry.ts';
import { toSampleSet, toSampleText } from '#features/playground/web/desk/samples.ts';
import { chooseVersion } from '#features/playground/web/desk/turnActions.ts';
import { editTurn, isAnswerToEarlierText } from '#features/playground/web/desk/turns.ts';

const { service } = setStage(createServer);

beforeEach(() => prepare(['a']));

function turn(index = 0): AnswerTurn {
  const last = pane(index).turns.at(-1);
  if (last?.role !== 'assistant') throw new Error('no answer');
  return last;
}

const texts = () => turn().versions.map(({ phase, message }) => `${phase} ${message.text}`);
const sampleText = () => {
  const set = toSampleSet(turn().versions, turn().shown);
  return set && toSampleText(set);
};

/** The request with a seed, once `count` have come: which of those that are sent at once comes first is left open. */
async function asked(seed: number, count: number): Promise<Call> {
  await service.call('a', count - 1);
  const call = service.calls.findLast(({ body }) => body['seed'] === seed);
  if (!call) throw new Error(`nothing asked with ${seed}`);
  return call;
}

async function answerBoth(text: string, other = text): Promise<void> {
  start(await asked(8, 6), says(text), FINISH);
  start(await asked(10, 6), says(other), FINISH);
}

/** Four samples with the seeds 7 to 10, of which the second fails and the fourth breaks off. */
async function halfDone(): Promise<void> {
  setSettings(pane(0).id, { seed: 7 });
  const sent = sendMessage(null, 4);
  for (const [seed, text] of [
    [7, 'x'],
    [8, null],
    [9, 'x'],
  ] as const) {
    const call = await asked(seed, 4);
    if (text === null) call.response.writeHead(500).end('{"error":"broken"}');
    else start(call, says(text), FINISH);
  }
  const last = await asked(10, 4);
  start(last, says('half'));
  await until(() => turn().versions[3]?.message.text === 'half');
  last.response.destroy();
  await sent;
}

it('retries only the unfinished samples, with the same request and their own seeds, and counts them', async () => {
  await halfDone();
  expect([texts(), countUnfinished(pane(0)), sampleText()]).toEqual([
    ['done x', 'failed ', 'done x', 'interrupted half'],
    2,
    'all 2 equal · 2 failed',
  ]);
  const [first, , third] = turn().versions;
  // The current settings don't affect the set.
  setModel(pane(0).id, 'b');
  setSettings(pane(0).id, { seed: 99, systemPrompt: 'Changed.', temperature: 2 });
  const retried = retryPane(null, pane(0).id);
  await answerBoth('y', 'x');
  await retried;
  expect(service.calls).toHaveLength(6);
  const body = service.calls[0]?.body;
  const sent = service.calls
    .slice(4)
    .map((call) => call.body)
    .toSorted((a, b) => Number(a['seed']) - Number(b['seed']));
  expect(sent).toEqual([
    { ...body, seed: 8 },
    { ...body, seed: 10 },
  ]);
  expect([texts(), turn().shown, countUnfinished(pane(0)), sampleText()]).toEqual([
    ['done x', 'done y', 'done x', 'done x'],
    0,
    0,
    '2 distinct answers (3 + 1)',
  ]);
  expect([turn().versions[0], turn().versions[2]]).toEqual([first, third]);
  expect(turn().versions.map(({ seed, model, batch }) => [seed, model, batch])).toEqual(
    [7, 8, 9, 10].map((seed) => [seed, 'a', first?.batch]),
  );
});

it('gives each a record of its own, of one request', async () => {
  await halfDone();
  const retried = retrySamples(null, pane(0).id, turn().id);
  await answerBoth('z');
  await retried;
  const records = await Promise.all(turn().versions.map(({ id }) => loadExchange(id)));
  expect(
    records.map((record) => [record?.attempt, (JSON.parse(record?.requestBody ?? '{}') as { seed?: number }).seed]),
  ).toEqual([
    [1, 7],
    [1, 8],
    [1, 9],
    [1, 10],
  ]);
});

it('can be stopped and continued; an old answer comes back if its retry brought nothing', async () => {
  await halfDone();
  const { id } = turn().versions[3] ?? {};
  const retried = retryPane(null, pane(0).id);
  start(await asked(8, 6), says('new'), FINISH);
  await until(() => turn().versions[1]?.phase === 'done');
  expect(countUnfinished(pane(0))).toBe(0);
  // While it is asked for, nothing else is.
  await retryPane(null, pane(0).id);
  stopAll();
  await retried;
  expect([texts(), service.calls.length, turn().versions[3]?.id]).toEqual([
    ['done x', 'done new', 'done x', 'stopped half'],
    6,
    id,
  ]);
  const again = retryPane(null, pane(0).id);
  start(await service.call('a', 6), says('whole'), FINISH);
  await again;
  expect([texts()[3], service.calls[6]?.body['seed']]).toEqual(['done whole', 10]);
});

it('keeps an old answer beside the set until its retry settles, even if the retry brings less', async () => {
  await halfDone();
  const { id } = turn().versions[3] ?? {};
  const retried = retryPane(null, pane(0).id);
  start(await asked(8, 6), says('new'), FINISH);
  const last = await asked(10, 6);
  // A reload now would find it.
  expect(turn().versions.map(({ batch, message }) => [batch !== null, message.text])[4]).toEqual([false, 'half']);
  chooseVersion(pane(0).id, turn().id, 4);
  start(last, says('ha'));
  await until(() => turn().versions[3]?.message.text === 'ha');
  last.response.destroy();
  await retried;
  expect([texts(), turn().versions[3]?.id, turn().shown]).toEqual([
    ['done x', 'done new', 'done x', 'interrupted half'],
    id,
    3,
  ]);
  const again = retryPane(null, pane(0).id);
  const longer = await service.call('a', 6);
  start(longer, says('half and more'));
  await until(() => turn().versions[3]?.message.text === 'half and more');
  longer.response.destroy();
  await again;
  expect([texts(), countUnfinished(pane(0))]).toEqual([
    ['done x', 'done new', 'done x', 'interrupted half and more'],
    1,
  ]);
});

it(
  'goes on with a set that a reload broke off, from the settings of now where nothing was sent, and without seeds ' +
    'where it had none',
  async () => {
    const sent = sendMessage(null, 2);
    await service.call('a', 1);
    stopAll();
    await sent;
    expect(texts()).toEqual(['stopped ', 'stopped ']);
    changeDesk((desk) =>
      interruptAnswers(
        turn().versions.reduce(
          (next, { id }) => changeAnswer(next, pane(0).id, id, { phase: 'queued', id: `lost ${id}` }),
          desk,
        ),
      ),
    );
    expect(texts()).toEqual(['interrupted ', 'interrupted ']);
    setSettings(pane(0).id, { seed: 5 });
    const retried = retryPane(null, pane(0).id);
    for (const nth of [2, 3]) start(await service.call('a', nth), says('x'), FINISH);
    await retried;
    expect([sampleText(), service.calls[2]?.body.messages]).toEqual(['all 2 equal', [{ role: 'user', content: 'Hi' }]]);
  },
);

it('says that it has no record of the request, and asks for nothing', async () => {
  await halfDone();
  changeDesk((desk) =>
    turn().versions.reduce((next, { id }) => changeAnswer(next, pane(0).id, id, { id: `foreign ${id}` }), desk),
  );
  await retryPane(null, pane(0).id);
  expect([readToasts().at(-1)?.text, service.calls.length]).toEqual([
    expect.stringMatching(/^The request of these samples has no record/),
    4,
  ]);
});

it('is part of the retry of all panes, from whichever sample is on show', async () => {
  await halfDone();
  chooseVersion(pane(0).id, turn().id, 2);
  const retried = retryFailed(null);
  await answerBoth('x');
  await retried;
  expect([sampleText(), turn().shown]).toEqual(['all 4 equal', 2]);
});

it('repeats the original request after the message was edited, and marks all samples as answers to the earlier text', async () => {
  await halfDone();
  changeDesk((desk) =>
    changePane(desk, pane(0).id, (each) =>
      editTurn(each, each.turns[0]?.id ?? '', { content: 'Again' }, '', Date.now() + 1),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  const retried = retryPane(null, pane(0).id);
  await answerBoth('x');
  await retried;
  expect(service.calls[4]?.body.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  expect(turn().versions.map((answer) => isAnswerToEarlierText(pane(0).turns, turn().id, answer))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

it('keeps the failed samples when another answer is requested', async () => {
  await halfDone();
  const asked = regenerate(null, pane(0).id, turn().id);
  start(await service.call('a', 4), says('plain'), FINISH);
  await asked;
  expect([texts(), turn().shown, turn().versions[4]?.batch]).toEqual([
    ['done x', 'failed ', 'done x', 'interrupted half', 'done plain'],
    4,
    null,
  ]);
  expect(countUnfinished(pane(0))).toBe(0);
  chooseVersion(pane(0).id, turn().id, 0);
  expect(countUnfinished(pane(0))).toBe(2);
});
