// What a person does in the playground, against a service over real HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DONE, encodeData } from '../stream/sseEncode';
import {
  applyExample, clearConversations, openPane, preselectModel, readyPanes, removePane, retryPane, runObstacle, sendMessage, setDraft, setLinked, setModel, setParameters, setSystemPrompt, showModels, stopAll, stopPane,
} from './actions';
import { EMPTY_DESK, lastAnswer, panePhase, toPane, type AnswerTurn, type Desk, type Pane } from './desk';
import { changeDesk, readDesk, useDesk } from './deskStore';

const says = (content: string): string => encodeData(JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta: { content } }] }));
const FINISH = encodeData(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })) + DONE;

interface Call {
  readonly body: { readonly model: string; readonly messages: readonly { readonly role: string; readonly content: string }[]; readonly [field: string]: unknown };
  readonly response: ServerResponse;
  readonly gone: Promise<void>;
}

/** A service whose answers are written by hand; requests are taken in the order in which they come. */
class Service {
  readonly calls: Call[] = [];
  private readonly server: Server = createServer((request, response) => void this.take(request, response));
  private onCall: () => void = () => undefined;
  baseUrl = '';

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** The request for a model, once it is there. */
  async call(model: string, nth = 0): Promise<Call> {
    for (;;) {
      const found = this.calls.filter(({ body }) => body.model === model)[nth];
      if (found) return found;
      await new Promise<void>((resolve) => (this.onCall = resolve));
    }
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new Promise<void>((resolve) => request.socket.once('close', () => resolve()));
    let text = '';
    for await (const chunk of request) text += String(chunk);
    this.calls.push({ body: JSON.parse(text) as Call['body'], response, gone });
    this.onCall();
  }
}

/** As far as a page's address goes. */
class Address {
  search = '';
  readonly pathname = '/';
  readonly hash = '';
  readonly entries: string[] = [];
}

function start(call: Call, ...pieces: readonly string[]): void {
  call.response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) call.response.write(piece);
}

const pane = (index: number, desk = readDesk()): Pane => desk.panes[index] ?? toPane('none', '');
const answer = (index: number, desk = readDesk()): AnswerTurn | null => lastAnswer(pane(index, desk));
const phases = (): readonly string[] => readDesk().panes.map(panePhase);

/** Resolves as soon as the desk is as described. */
function until(isSo: (desk: Desk) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = useDesk.subscribe(({ desk }) => check(desk));
    const check = (desk: Desk): void => {
      if (!isSo(desk)) return;
      stop();
      resolve();
    };
    check(readDesk());
  });
}

/** Two or more panes with a model each, and a message. */
function prepare(models: readonly string[], draft = 'Hi'): void {
  showModels(models);
  setDraft(draft);
}

let service: Service;
let address: Address;

beforeEach(async () => {
  service = new Service();
  address = new Address();
  await service.open();
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(`${service.baseUrl}${path}`, init));
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setImmediate(callback));
  const go = (kind: string) => (_state: unknown, _title: string, to: string): void => {
    address.search = to.slice(1);
    address.entries.push(`${kind} ${to}`);
  };
  vi.stubGlobal('window', { location: address, history: { pushState: go('push'), replaceState: go('replace') } });
  changeDesk(() => EMPTY_DESK);
});

afterEach(async () => {
  stopAll();
  await service.close();
  vi.unstubAllGlobals();
});

describe('sending', () => {
  it('puts the message into each pane before anything is sent, and empties the draft', async () => {
    prepare(['a', 'b'], 'Hello there');
    const sent = sendMessage(null);
    expect(service.calls).toHaveLength(0);
    for (const index of [0, 1]) expect(pane(index).turns).toMatchObject([{ role: 'user', content: 'Hello there' }, { role: 'assistant', phase: 'sending' }]);
    expect(readDesk().draft).toBe('');
    for (const model of ['a', 'b']) start(await service.call(model), says(`I am ${model}`), FINISH);
    await sent;
    expect([phases(), answer(0)?.message.text, answer(1)?.message.text]).toEqual([['done', 'done'], 'I am a', 'I am b']);
  });

  it('asks with the conversation, the system prompt and what is set, and nothing else', async () => {
    prepare(['a'], 'One');
    setSystemPrompt('Be brief.');
    setParameters(pane(0).id, { temperature: 0, stop: ['a,b'] });
    const first = sendMessage('local');
    start(await service.call('a'), says('1'), FINISH);
    await first;
    setDraft('Two');
    const second = sendMessage(null);
    const call = await service.call('a', 1);
    start(call, FINISH);
    await second;
    expect(service.calls[0]?.body).toEqual({
      model: 'a', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'One' }], temperature: 0, stop: ['a,b'], stream: true, stream_options: { include_usage: true },
    });
    expect(call.body['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'One' }, { role: 'assistant', content: '1' }, { role: 'user', content: 'Two' }]);
    expect(call.body).not.toHaveProperty('stream_options');
  });

  it('gives each pane its own parameters once it is not linked', async () => {
    prepare(['a', 'b']);
    setLinked(pane(1).id, false);
    setParameters(pane(1).id, { seed: 2 });
    setParameters(pane(0).id, { seed: 1 });
    const sent = sendMessage(null);
    for (const model of ['a', 'b']) start(await service.call(model), FINISH);
    await sent;
    expect([(await service.call('a')).body['seed'], (await service.call('b')).body['seed']]).toEqual([1, 2]);
  });

  it('passes over a pane without a model', async () => {
    prepare(['a', '']);
    const sent = sendMessage(null);
    start(await service.call('a'), FINISH);
    await sent;
    expect([phases(), pane(1).turns]).toEqual([['done', 'idle'], []]);
  });

  it('does nothing where it can not: no message, no model, or an answer on its way', async () => {
    prepare(['a'], ' ');
    await sendMessage(null);
    expect([pane(0).turns, readDesk().draft]).toEqual([[], ' ']);
    setDraft('Hi');
    const sent = sendMessage(null);
    await service.call('a');
    setDraft('again');
    await sendMessage(null);
    expect([service.calls.length, pane(0).turns.length, readDesk().draft]).toEqual([1, 2, 'again']);
    stopAll();
    await sent;
  });

  it('shows an answer while it grows', async () => {
    prepare(['a']);
    const sent = sendMessage(null);
    const call = await service.call('a');
    start(call, says('one'));
    await until(() => answer(0)?.message.text === 'one');
    expect(answer(0)?.phase).toBe('streaming');
    call.response.write(says(' two'));
    await until(() => answer(0)?.message.text === 'one two');
    call.response.end(FINISH);
    await sent;
    expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'one two' } });
  });

  it('reads on in a hidden page, which has no frames', async () => {
    vi.stubGlobal('document', { hidden: true });
    vi.stubGlobal('requestAnimationFrame', () => 0);
    prepare(['a']);
    const sent = sendMessage(null);
    start(await service.call('a'), ...Array.from({ length: 200 }, () => says('word ')), FINISH);
    await sent;
    expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'word '.repeat(200) } });
  });
});

describe('a pane that fails', () => {
  it.each<[string, (call: Call) => void, object]>([
    ['an error status', ({ response }) => response.writeHead(500, { 'x-request-id': 'r1' }).end('{"error":{"message":"Broken.","code":"b"}}'), { phase: 'failed', failure: { message: 'Broken.', status: 500, code: 'b', requestId: 'r1' } }],
    ['a cut connection', (call) => (start(call, says('Half')), call.response.write(says(''), () => call.response.destroy())), { phase: 'interrupted', message: { text: 'Half' } }],
    ['a stream that just ends', (call) => (start(call, says('Half')), call.response.end()), { phase: 'interrupted', message: { text: 'Half' } }],
    ['an error in the stream', (call) => (start(call, says('Half')), call.response.end(encodeData('{"error":{"message":"Out of memory."}}'))), { phase: 'failed', message: { text: 'Half' }, failure: { message: 'Out of memory.' } }],
  ])('with %s says so in its place and never disturbs another', async (_what, fail, expected) => {
    prepare(['bad', 'good']);
    const sent = sendMessage(null);
    const good = await service.call('good');
    start(good, says('I '));
    fail(await service.call('bad'));
    await until((desk) => ['failed', 'interrupted'].includes(panePhase(pane(0, desk))));
    expect(phases()[1]).toMatch(/sending|streaming/);
    good.response.end(says('go on') + FINISH);
    await sent;
    expect(answer(0)).toMatchObject(expected);
    expect(answer(1)).toMatchObject({ phase: 'done', message: { text: 'I go on' } });
  });
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

describe('retrying', () => {
  async function answered(): Promise<void> {
    prepare(['a']);
    const sent = sendMessage(null);
    start(await service.call('a'), says('the old answer'), FINISH);
    await sent;
  }

  it('keeps the old answer until something new comes, and asks with what was said before it', async () => {
    await answered();
    const retried = retryPane(pane(0).id, null);
    expect(answer(0)).toMatchObject({ phase: 'sending', message: { text: 'the old answer' } });
    const call = await service.call('a', 1);
    expect(call.body['messages']).toEqual([{ role: 'user', content: 'Hi' }]);
    start(call, says('new'));
    await until(() => answer(0)?.message.text === 'new');
    call.response.end(FINISH);
    await retried;
    expect(pane(0).turns).toHaveLength(2);
    expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'new' } });
  });

  it('leaves the old answer where it fails', async () => {
    await answered();
    const retried = retryPane(pane(0).id, null);
    (await service.call('a', 1)).response.writeHead(503).end('{"error":"busy"}');
    await retried;
    expect(answer(0)).toMatchObject({ phase: 'failed', message: { text: 'the old answer' }, failure: { message: 'busy' } });
  });

  it('asks the model that the pane has now, and can be stopped', async () => {
    await answered();
    setModel(pane(0).id, 'b');
    expect(answer(0)?.model).toBe('a');
    const retried = retryPane(pane(0).id, null);
    const call = await service.call('b');
    stopPane(pane(0).id);
    await Promise.all([retried, call.gone]);
    expect(answer(0)).toMatchObject({ phase: 'stopped', model: 'a', message: { text: 'the old answer' } });
  });

  it('does nothing where there is nothing to ask again, or an answer is on its way', async () => {
    prepare(['a']);
    await retryPane(pane(0).id, null);
    await retryPane('none', null);
    const sent = sendMessage(null);
    await service.call('a');
    await retryPane(pane(0).id, null);
    expect(service.calls).toHaveLength(1);
    stopAll();
    await sent;
  });
});

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
  setSystemPrompt('Be brief.');
  const sent = sendMessage(null);
  const calls = [await service.call('a'), await service.call('b')];
  start(calls[0]!, says('Half'));
  await until(() => answer(0)?.message.text === 'Half');
  clearConversations();
  await Promise.all([sent, ...calls.map((call) => call.gone)]);
  expect(readDesk().panes.map((each) => [each.model, each.turns.length])).toEqual([['a', 0], ['b', 0]]);
  expect(readDesk().systemPrompt).toBe('Be brief.');
});

describe('why Run can not be used', () => {
  it.each<[readonly string[], string, string | null]>([
    [['a'], 'Hi', null],
    [['', 'a'], 'Hi', null],
    [['a'], ' \n', 'Write a message first.'],
    [['', ' '], 'Hi', 'Choose a model first.'],
    [[''], '', 'Choose a model first.'],
  ])('%j, %j: %j', (models, draft, expected) => {
    prepare(models, draft);
    expect(runObstacle(readDesk())).toBe(expected);
  });

  it('says that an answer is on its way, in whichever pane', async () => {
    prepare(['a', 'b']);
    const sent = sendMessage(null);
    start(await service.call('a'), FINISH);
    await until((desk) => panePhase(pane(0, desk)) === 'done');
    setDraft('more');
    expect(runObstacle(readDesk())).toBe('An answer is on its way. Wait for it or stop it.');
    expect(readyPanes(readDesk()).map((each) => each.model)).toEqual(['a']);
    stopAll();
    await sent;
  });
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
  expect(readDesk()).toMatchObject({ systemPrompt: 'You sort tickets.', draft: 'My invoice is wrong.' });
  expect(pane(0).turns).toEqual([]);
});
