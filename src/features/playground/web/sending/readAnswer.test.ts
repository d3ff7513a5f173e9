import { beforeEach, describe, expect, it } from 'vitest';
import { ApiFailure } from '#ui/client/failure.ts';
import type { AnswerEvent, StreamEvent } from '#core/stream/events.ts';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { toPendingAnswer, type Answer } from '#features/playground/web/desk/desk.ts';
import { readAnswer } from './readAnswer.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], stream: true };
const text = (value: string): StreamEvent => ({ type: 'text-delta', text: value });
const END: StreamEvent = { type: 'message-end', finish_reason: 'stop' };
const tooMany = (retryAfterMs: number | null): ApiFailure =>
  new ApiFailure({ kind: 'http', message: 'slow down', hint: 'Wait.', status: 429, retryAfterMs, requestId: 'r1' });

/** What a request does next: time passes, events come, it fails, or the person stops it. */
type Beat = {
  readonly after?: number;
  readonly events?: readonly AnswerEvent[];
  readonly fails?: unknown;
  readonly isStopped?: boolean;
  readonly isQueued?: boolean;
};

/** A pane's answer with a clock that only the beats move. */
class Stage {
  turn: Answer = toPendingAnswer('a', 'm', 0);
  phases: string[] = [];
  patches: { readonly patch: Partial<Answer>; readonly isUrgent: boolean }[] = [];
  waits: number[] = [];
  requests = 0;
  now = 0;
  stop = new AbortController();
  isLeaving = false;
  onWait: () => void = () => undefined;

  async play(...requests: (readonly Beat[])[]): Promise<void> {
    await readAnswer(
      { request: REQUEST, signal: this.stop.signal },
      {
        open: (_request, { onQueue }) =>
          this.open(onQueue, requests[Math.min(this.requests++, requests.length - 1)] ?? []),
        now: () => this.now,
        wallClock: () => 1_000_000 + this.now,
        wait: async (ms) => {
          this.waits.push(ms);
          this.now += ms;
          this.onWait();
        },
        isLeaving: () => this.isLeaving,
        onChange: (patch, isUrgent) => {
          this.patches.push({ patch, isUrgent });
          this.turn = { ...this.turn, ...patch };
          if (this.phases.at(-1) !== this.turn.phase) this.phases.push(this.turn.phase);
        },
      },
    );
  }

  private async *open(
    onQueue: (isQueued: boolean) => void,
    beats: readonly Beat[],
  ): AsyncGenerator<readonly AnswerEvent[]> {
    for (const { after = 0, events, fails, isStopped = false, isQueued } of beats) {
      this.now += after;
      if (isQueued !== undefined) onQueue(isQueued);
      if (isStopped) this.stop.abort();
      if (fails !== undefined) throw fails;
      if (events) yield events;
    }
  }
}

const aborted = (): Beat => ({
  isStopped: true,
  fails: new ApiFailure({ kind: 'aborted', message: 'Stopped.', hint: '' }),
});

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

describe('an answer that has to wait for a connection', () => {
  it('is queued, then sent; its times begin when it is sent', async () => {
    await stage.play([{ isQueued: true }, { after: 8000, isQueued: false }, { after: 300, events: [text('Hi'), END] }]);
    expect(stage.phases).toEqual(['queued', 'sending', 'streaming', 'done']);
    expect(stage.turn).toMatchObject({ sentAt: 1_008_000, timing: { firstMs: 300, endMs: 300 } });
  });

  it('can be stopped', async () => {
    await stage.play([{ isQueued: true }, aborted()]);
    expect(stage.phases).toEqual(['queued', 'stopped']);
  });
});

describe('an answer that comes', () => {
  it('streams, then is done, with its times', async () => {
    await stage.play([
      { after: 300, events: [text('Hel')] },
      { after: 50, events: [text('lo')] },
      { after: 650, events: [END] },
    ]);
    expect(stage.phases).toEqual(['streaming', 'done']);
    expect(stage.turn).toMatchObject({
      message: { text: 'Hello', state: 'complete' },
      timing: { firstMs: 300, textMs: 300, endMs: 1000 },
      failure: null,
    });
  });

  it('times the text from the first that is none of the reasoning', async () => {
    await stage.play([
      { after: 100, events: [text('why')] },
      { after: 400, events: [{ type: 'text-was-reasoning' }] },
      { after: 50, events: [text('x'), END] },
    ]);
    expect(stage.turn.timing).toEqual({ firstMs: 100, textMs: 550, endMs: 550 });
  });

  it('keeps the times of reasoning and text apart', async () => {
    await stage.play([
      { after: 100, events: [{ type: 'reasoning-delta', text: 'why' }] },
      { after: 400, events: [text('x')] },
      { after: 5, events: [text('y'), END] },
    ]);
    expect(stage.turn.timing).toEqual({ firstMs: 100, textMs: 500, endMs: 505 });
  });

  it('counts from the first thing that can be seen, not from the head of the stream', async () => {
    const start: StreamEvent = { type: 'message-start', id: 'i', model: 'm', fingerprint: null, created: null };
    await stage.play([{ after: 100, events: [start] }, { after: 400, events: [text('x')] }, { events: [END] }]);
    expect(stage.turn.timing.firstMs).toBe(500);
  });

  it('has no first token where nothing came', async () => {
    await stage.play([{ after: 100, events: [END] }]);
    expect(stage.turn).toMatchObject({
      phase: 'done',
      timing: { firstMs: null, textMs: null, endMs: 100 },
      message: { text: '' },
    });
  });

  it('is urgent at its end, but not while it streams', async () => {
    await stage.play([{ events: [text('a')] }, { events: [text('b')] }, { events: [END] }]);
    expect(stage.patches.map(({ isUrgent }) => isUrgent)).toEqual([false, false, false, true]);
  });

  it('names the model that was asked', async () => {
    stage.turn = { ...stage.turn, model: 'the one before' };
    await stage.play([{ events: [text('a'), END] }]);
    expect(stage.turn.model).toBe('m');
  });
});

describe('an answer that breaks off', () => {
  it.each<[string, readonly Beat[], object]>([
    [
      'an error in the stream',
      [
        { events: [text('Half')] },
        { events: [{ type: 'stream-error', message: 'Out of memory.', code: 'oom', param: 'max_tokens' }] },
      ],
      { phase: 'failed', failure: { message: 'Out of memory.', code: 'oom', param: 'max_tokens' } },
    ],
    [
      'a lost connection',
      [{ events: [text('Half')] }, { events: [{ type: 'stream-interrupted', reason: 'The connection was lost.' }] }],
      { phase: 'interrupted', failure: { message: 'The connection was lost.' } },
    ],
    [
      'a reader that just ends',
      [{ events: [text('Half')] }],
      { phase: 'interrupted', failure: { message: 'The answer was cut off before it was complete.' } },
    ],
    [
      'a failure',
      [{ events: [text('Half')] }, { fails: new ApiFailure({ kind: 'network', message: 'Cut.', hint: 'Look.' }) }],
      { phase: 'failed', failure: { message: 'Cut.', hint: 'Look.' } },
    ],
    ['a stop', [{ events: [text('Half')] }, aborted()], { phase: 'stopped', failure: null }],
    [
      'something nobody expected',
      [{ events: [text('Half')] }, { fails: new TypeError('x is not a function') }],
      { phase: 'failed', failure: { message: 'The answer could not be read: x is not a function' } },
    ],
    [
      'something that is no error',
      [{ events: [text('Half')] }, { fails: 'no' }],
      { phase: 'failed', failure: { message: 'The answer could not be read: no' } },
    ],
  ])('by %s keeps the text and says why', async (_what, beats, expected) => {
    await stage.play([{ after: 10 }, ...beats]);
    expect(stage.turn).toMatchObject({
      message: { text: 'Half' },
      timing: { firstMs: 10, endMs: 10 },
      waitUntil: null,
      ...expected,
    });
    expect(stage.patches.at(-1)?.isUrgent).toBe(true);
    expect(stage.requests).toBe(1);
  });

  it('before anything came says all that is known', async () => {
    await stage.play([
      {
        fails: new ApiFailure({
          kind: 'http',
          message: 'No such model.',
          hint: 'Choose another.',
          status: 404,
          code: 'model_not_found',
          param: 'model',
          requestId: 'r1',
        }),
      },
    ]);
    expect(stage.turn.failure).toEqual({
      message: 'No such model.',
      hint: 'Choose another.',
      status: 404,
      code: 'model_not_found',
      param: 'model',
      requestId: 'r1',
    });
  });

  it('never continues with incomplete tool calls', async () => {
    const call: StreamEvent = { type: 'tool-call-delta', index: 0, id: 'c', name: 'f', arguments: '{"city":"Par' };
    await stage.play([{ events: [call] }, { events: [{ type: 'stream-interrupted', reason: 'Lost.' }] }]);
    expect(stage.turn.message).toMatchObject({ state: 'interrupted', toolCalls: [{ arguments: '{"city":"Par' }] });
  });
});

describe('a retry', () => {
  const old = { ...EMPTY_MESSAGE, text: 'the answer before', state: 'complete' as const };
  const timing = { firstMs: 1, textMs: 1, endMs: 2 };
  beforeEach(() => {
    stage.turn = { ...stage.turn, model: 'old', message: old, timing };
  });

  it.each<[string, readonly Beat[], string]>([
    ['fails', [{ fails: new ApiFailure({ kind: 'network', message: 'Down.', hint: '' }) }], 'failed'],
    ['is stopped', [aborted()], 'stopped'],
    ['breaks off', [{ events: [{ type: 'stream-interrupted', reason: 'Lost.' }] }], 'interrupted'],
  ])('that %s before anything came leaves the old answer', async (_what, beats, phase) => {
    await stage.play([{ after: 50, events: [] }, ...beats]);
    expect(stage.turn).toMatchObject({ phase, message: old, timing, model: 'old' });
  });

  it('replaces the old answer with the first thing that comes', async () => {
    await stage.play([{ after: 50, events: [text('n')] }, aborted()]);
    expect(stage.turn).toMatchObject({
      phase: 'stopped',
      message: { text: 'n', state: 'open' },
      timing: { firstMs: 50 },
      model: 'm',
    });
  });

  it('replaces the old answer with an empty one, when that is the whole answer', async () => {
    await stage.play([{ events: [END] }]);
    expect(stage.turn).toMatchObject({ phase: 'done', message: { text: '' }, model: 'm' });
  });
});

describe('a service that asks to wait', () => {
  it('is asked again after that time, and the countdown is known', async () => {
    await stage.play([{ after: 20, fails: tooMany(5000) }], [{ after: 30, events: [text('x'), END] }]);
    expect(stage.patches[0]).toEqual({
      patch: {
        phase: 'sending',
        waitUntil: 1_005_020,
        failure: { message: 'slow down', hint: 'Wait.', status: 429, code: null, param: null, requestId: 'r1' },
      },
      isUrgent: true,
    });
    expect(stage.waits).toEqual([5000]);
    // Times are those of the request that was answered.
    expect(stage.turn).toMatchObject({
      phase: 'done',
      sentAt: 1_005_020,
      waitUntil: null,
      failure: null,
      timing: { firstMs: 30 },
    });
  });

  it('is asked again by itself when its engine restarts, and the text so far stays until more comes', async () => {
    const broken: AnswerEvent = {
      type: 'stream-error',
      message: 'It has ended.',
      code: 'engine_restarted',
      param: null,
    };
    const restarting = new ApiFailure({
      kind: 'http',
      message: 'It is started again.',
      hint: '',
      status: 503,
      code: 'engine_restarting',
      retryAfterMs: 3_000,
    });
    stage.onWait = () => texts.push(stage.turn.message.text);
    const texts: string[] = [];
    await stage.play(
      [{ events: [text('Half')] }, { events: [broken] }],
      [{ fails: restarting }],
      [{ events: [text('Whole'), END] }],
    );
    expect([stage.waits, texts]).toEqual([
      [2_000, 3_000],
      ['Half', 'Half'],
    ]);
    expect(stage.turn).toMatchObject({ phase: 'done', message: { text: 'Whole' }, failure: null, waitUntil: null });
  });

  it('is not asked again once the person has stopped it', async () => {
    stage.onWait = () => stage.stop.abort();
    await stage.play([{ fails: tooMany(5000) }]);
    expect([stage.requests, stage.turn.phase, stage.turn.waitUntil, stage.turn.failure]).toEqual([
      1,
      'stopped',
      null,
      null,
    ]);
  });

  it('is asked six times at most', async () => {
    await stage.play([{ fails: tooMany(10) }]);
    expect([stage.requests, stage.waits]).toEqual([6, [10, 10, 10, 10, 10]]);
    expect(stage.turn).toMatchObject({ phase: 'failed', failure: { status: 429 }, waitUntil: null });
  });

  it.each<[string, readonly Beat[]]>([
    ['it does not say how long', [{ fails: tooMany(null) }]],
    ['something had come already', [{ events: [text('x')] }, { fails: tooMany(10) }]],
    [
      'the status is another one',
      [{ fails: new ApiFailure({ kind: 'http', message: 'busy', hint: '', status: 503, retryAfterMs: 10 }) }],
    ],
  ])('is not asked again by itself where %s', async (_what, beats) => {
    await stage.play(beats);
    expect([stage.requests, stage.waits, stage.turn.phase]).toEqual([1, [], 'failed']);
  });
});

it.each([
  ['before the first word', []],
  ['in the middle', [{ events: [text('Half')] }]],
] satisfies [string, Beat[]][])(
  'is interrupted by a page that is left %s, which is no fault of the service',
  async (_when, beats) => {
    const stage = new Stage();
    stage.isLeaving = true;
    await stage.play([...beats, { fails: new ApiFailure({ kind: 'network', message: 'Down.', hint: '' }) }]);
    expect(stage.turn).toMatchObject({ phase: 'interrupted', failure: null });
  },
);
