// Samples and repeated requests, over real HTTP: what is sent, and what becomes of it.
import { createServer } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { readToasts } from '#ui/kit/toast.ts';
import { setSettings, stopAll } from '#features/playground/web/desk/actions.ts';
import { FINISH, pane, prepare, says, setStage, start, until } from '#features/playground/web/chatStage.fixture.ts';
import { changeAnswer, panePhase, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { changeDesk, readDesk } from '#features/playground/web/desk/deskStore.ts';
import { repeatAnswer, sendMessage } from './runActions.ts';

const { service } = setStage(createServer);

beforeEach(() => prepare(['a']));

function turn(): AnswerTurn {
  const last = pane(0).turns.at(-1);
  if (last?.role !== 'assistant') throw new Error('no answer');
  return last;
}

const repeat = (how: Parameters<typeof repeatAnswer>[4], version = 0) =>
  repeatAnswer(null, pane(0).id, turn().id, turn().versions[version]?.id ?? '', how);

it('asks for samples with seeds that count up, four at a time, as versions of one answer', async () => {
  setSettings(pane(0).id, { seed: 7 });
  const sent = sendMessage(null, 6);
  for (let nth = 0; nth < 6; nth += 1) {
    await service.call('a', nth);
    expect(service.calls.length).toBeLessThanOrEqual(nth + 4);
    start(await service.call('a', nth), says(`answer ${nth % 2}`), FINISH);
  }
  await sent;
  // Requests of one moment may arrive in another order.
  expect(service.calls.map(({ body }) => Number(body['seed'])).sort((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12]);
  const { versions, shown } = turn();
  expect([shown, new Set(versions.map(({ batch }) => batch)).size, versions.map(({ seed }) => seed)]).toEqual([
    0,
    1,
    [7, 8, 9, 10, 11, 12],
  ]);
  expect(versions[0]?.batch).not.toBeNull();
  expect(pane(0).turns).toHaveLength(2);
});

it('sends no seed where none is set, and stops all samples at once', async () => {
  const sent = sendMessage(null, 6);
  await service.call('a', 3);
  stopAll();
  await sent;
  expect(service.calls.map(({ body }) => 'seed' in body)).toEqual([false, false, false, false]);
  expect(turn().versions.map(({ phase }) => phase)).toEqual(Array.from({ length: 6 }, () => 'stopped'));
});

it('sends no sample where the seeds would not be exact', async () => {
  setSettings(pane(0).id, { seed: Number.MAX_SAFE_INTEGER });
  const { draft } = readDesk();
  await sendMessage(null, 2);
  expect([service.calls.length, pane(0).turns.length, readDesk().draft]).toEqual([0, 0, draft]);
  const sent = sendMessage(null, 1);
  start(await service.call('a'), says('fine'), FINISH);
  await sent;
  expect(service.calls.map(({ body }) => body['seed'])).toEqual([Number.MAX_SAFE_INTEGER]);
});

it('repeats the recorded request, whatever is set now', async () => {
  setSettings(pane(0).id, { seed: 3, temperature: 1.5 });
  const sent = sendMessage(null);
  start(await service.call('a'), says('one'), FINISH);
  await sent;
  setSettings(pane(0).id, { seed: 4, systemPrompt: 'Changed.' });
  const repeated = repeat('recorded');
  start(await service.call('a', 1), says('one'), FINISH);
  expect(await repeated).toBeNull();
  expect(service.calls[1]?.body).toEqual(service.calls[0]?.body);
  const { versions, shown } = turn();
  expect([shown, versions[1]?.repeats, versions[1]?.seed]).toEqual([1, versions[0]?.id, 3]);
});

it('asks first where no seed was sent', async () => {
  const sent = sendMessage(null);
  start(await service.call('a'), says('one'), FINISH);
  await sent;
  expect(await repeat('recorded')).toBe('no-seed');
  expect(service.calls).toHaveLength(1);
  const repeated = repeat(9);
  start(await service.call('a', 1), says('two'), FINISH);
  await repeated;
  expect(service.calls[1]?.body).toEqual({ ...service.calls[0]?.body, seed: 9 });
});

it('says that it can not repeat what it has no record of, and does nothing while an answer is on its way', async () => {
  const sent = sendMessage(null);
  const call = await service.call('a');
  start(call, says('one'));
  await until((desk) => desk.panes.some((each) => panePhase(each) === 'streaming'));
  expect(await repeat('anyway')).toBeNull();
  expect(turn().versions).toHaveLength(1);
  call.response.end(FINISH);
  await sent;
  changeDesk((desk) => changeAnswer(desk, pane(0).id, turn().versions[0]?.id ?? '', { id: 'foreign' }));
  expect(await repeat('anyway')).toBeNull();
  expect(readToasts().at(-1)?.text).toMatch(/^This request has no record/);
  expect(service.calls).toHaveLength(1);
});
