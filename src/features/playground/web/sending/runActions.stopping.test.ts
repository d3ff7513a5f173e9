// Answers that are stopped or have to wait, over real HTTP.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { stopAll, stopPane } from '#features/playground/web/desk/actions.ts';
import {
  answer,
  FINISH,
  pane,
  phases,
  prepare,
  says,
  setStage,
  start,
  until,
} from '#features/playground/web/chatStage.fixture.ts';
import { sendMessage } from './runActions.ts';

const { service } = setStage(createServer);

describe('stopping', () => {
  it('one pane keeps its text, reaches the service and leaves the other alone', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    const [a, b] = [await service.call('a'), await service.call('b')];
    start(a, says('Half'));
    start(b, says('Whole'));
    await until(() => answer(0)?.message.text === 'Half' && answer(1)?.message.text === 'Whole');
    stopPane(pane(0).id);
    await a.gone;
    b.response.end(FINISH);
    await sent;
    expect([answer(0)?.phase, answer(0)?.message.text, answer(0)?.failure]).toEqual(['stopped', 'Half', null]);
    expect(answer(1)?.phase).toBe('done');
  });

  it('works before the first token, in all panes', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    const calls = [await service.call('a'), await service.call('b')];
    stopAll();
    await Promise.all([sent, ...calls.map((call) => call.gone)]);
    expect(phases()).toEqual(['stopped', 'stopped']);
  });

  it('works while the message is still being kept: nothing is sent', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    stopAll();
    await sent;
    expect([phases(), service.calls.length]).toEqual([['stopped'], 0]);
  });

  it('ends the wait that the service asked for', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    (await service.call('a')).response.writeHead(429, { 'retry-after': '30' }).end('{"error":"slow down"}');
    await until(() => answer(0)?.waitUntil != null);
    expect(answer(0)).toMatchObject({ phase: 'sending', failure: { status: 429, message: 'slow down' } });
    // The wait begins after the state was reported.
    await new Promise((resolve) => setImmediate(resolve));
    stopPane(pane(0).id);
    await sent;
    expect([answer(0)?.phase, answer(0)?.waitUntil, service.calls.length]).toEqual(['stopped', null, 1]);
  });
});

it('asks again by itself after the time that the service gave', async () => {
  prepare(['a']);
  const sent = sendMessage(null);
  (await service.call('a')).response.writeHead(429, { 'retry-after-ms': '1' }).end('{"error":"slow down"}');
  start(await service.call('a', 1), says('There'), FINISH);
  await sent;
  expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'There' }, failure: null });
});
