// A message to several panes, over real HTTP: what is sent, and what becomes of it.
import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { encodeData } from '#core/stream/sseEncode.ts';
import { setDraft, setLinked, setSettings, setShared, stopAll } from '#features/playground/web/desk/actions.ts';
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
  type Call,
} from '#features/playground/web/chatStage.fixture.ts';
import { panePhase } from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { runPane, sendMessage } from './runActions.ts';

const { service } = setStage(createServer);

describe('sending', () => {
  it('puts the message into each pane before anything is sent, and empties the draft', async () => {
    prepare(['a', 'b'], 'Hello there');
    const sent = sendMessage(null);
    expect(service.calls).toHaveLength(0);
    for (const index of [0, 1])
      expect(pane(index).turns).toMatchObject([
        { role: 'user', content: 'Hello there' },
        { role: 'assistant', versions: [{ phase: 'sending' }] },
      ]);
    expect(readDesk().draft).toBe('');
    for (const model of ['a', 'b']) start(await service.call(model), says(`I am ${model}`), FINISH);
    await sent;
    expect([phases(), answer(0)?.message.text, answer(1)?.message.text]).toEqual([
      ['done', 'done'],
      'I am a',
      'I am b',
    ]);
  });

  it('asks with the conversation, the system prompt and what is set, and nothing else', async () => {
    prepare(['a'], 'One');
    setShared({ systemPrompt: 'Be brief.' });
    setSettings(pane(0).id, { temperature: 0, stop: ['a,b'] });
    const first = sendMessage('local');
    start(await service.call('a'), says('1'), FINISH);
    await first;
    setDraft('Two');
    const second = sendMessage(null);
    const call = await service.call('a', 1);
    start(call, FINISH);
    await second;
    expect(service.calls[0]?.body).toEqual({
      model: 'a',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One' },
      ],
      temperature: 0,
      stop: ['a,b'],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(call.body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'Two' },
    ]);
    expect(call.body).not.toHaveProperty('stream_options');
  });

  it('gives each pane its own parameters once it is not linked', async () => {
    prepare(['a', 'b']);
    setLinked(pane(1).id, ['seed'], false);
    setSettings(pane(1).id, { seed: 2 });
    setSettings(pane(0).id, { seed: 1 });
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
    const frames: (() => void)[] = [];
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
    prepare(['a']);
    const sent = sendMessage(null);
    start(await service.call('a'), ...Array.from({ length: 200 }, () => says('word ')), FINISH);
    await sent;
    expect(answer(0)).toMatchObject({ phase: 'done', message: { text: 'word '.repeat(200) } });
    // An answer of the test before may have waited for one.
    for (const onFrame of frames) onFrame();
  });
});

describe('a pane that fails', () => {
  it.each<[string, (call: Call) => void, object]>([
    [
      'an error status',
      ({ response }) =>
        response.writeHead(500, { 'x-request-id': 'r1' }).end('{"error":{"message":"Broken.","code":"b"}}'),
      { phase: 'failed', failure: { message: 'Broken.', status: 500, code: 'b', requestId: 'r1' } },
    ],
    [
      'a cut connection',
      (call) => (start(call, says('Half')), call.response.write(says(''), () => call.response.destroy())),
      { phase: 'interrupted', message: { text: 'Half' } },
    ],
    [
      'a stream that just ends',
      (call) => (start(call, says('Half')), call.response.end()),
      { phase: 'interrupted', message: { text: 'Half' } },
    ],
    [
      'an error in the stream',
      (call) => (start(call, says('Half')), call.response.end(encodeData('{"error":{"message":"Out of memory."}}'))),
      { phase: 'failed', message: { text: 'Half' }, failure: { message: 'Out of memory.' } },
    ],
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

it('goes to one pane alone where it is run there only, whatever another one does', async () => {
  prepare(['a', 'b']);
  const first = runPane(null, pane(0).id);
  await service.call('a');
  setDraft('For b');
  const second = runPane(null, pane(1).id);
  start(await service.call('b'), says('Here'), FINISH);
  await second;
  await runPane(null, pane(0).id);
  expect([phases(), pane(0).turns.length, pane(1).turns[0], readDesk().draft]).toMatchObject([
    ['sending', 'done'],
    2,
    { content: 'For b' },
    '',
  ]);
  stopAll();
  await first;
});

it('is not sent where the settings can not be: the answer says why', async () => {
  prepare(['a']);
  const sent = sendMessage(null);
  // Changed while the message is being kept.
  setShared({ tools: '[' });
  await sent;
  expect([answer(0), service.calls.length]).toMatchObject([
    { phase: 'failed', failure: { message: 'Tools: not valid JSON at line 1.', hint: 'Nothing was sent.' } },
    0,
  ]);
});

it('records the seed that was sent, and none where the service drew one', async () => {
  prepare(['a', 'b']);
  setLinked(pane(1).id, ['seed'], false);
  setSettings(pane(1).id, { seed: 0 });
  const sent = sendMessage(null);
  for (const model of ['a', 'b']) start(await service.call(model), FINISH);
  await sent;
  expect([answer(0)?.seed, answer(1)?.seed]).toEqual([null, 0]);
});
