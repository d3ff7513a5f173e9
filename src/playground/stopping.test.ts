// Answers that are stopped or have to wait, over real HTTP.
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DONE, encodeData } from '../stream/sseEncode';
import { setDraft, showModels, stopAll, stopPane } from './actions';
import { answer, openStage, pane, phases, start, until, type Stage } from './chatStage';
import { EMPTY_DESK } from './desk';
import { changeDesk } from './deskStore';
import { sendMessage } from './runActions';

const says = (content: string): string => encodeData(JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta: { content } }] }));
const FINISH = encodeData(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })) + DONE;

/** Two or more panes with a model each, and a message. */
function prepare(models: readonly string[], draft = 'Hi'): void {
  showModels(models);
  setDraft(draft);
}

let service: Stage['service'];

beforeEach(async () => {
  ({ service } = await openStage((onRequest) => createServer(onRequest), vi.stubGlobal));
  changeDesk(() => EMPTY_DESK);
});

afterEach(async () => {
  stopAll();
  await service.close();
  vi.unstubAllGlobals();
});

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
    // The wait begins after it was said.
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
