// Stop sequences, reasoning and calls in one answer.
import { describe, expect, it } from 'vitest';
import type { FinishReason } from '#core/contract/completion.ts';
import { Answer } from './answer.ts';
import type { EngineEvent } from './engine.ts';

const tool = { type: 'function' as const, function: { name: 'cancel_order' } };
const CALL = '<tool_call>{"name":"cancel_order","arguments":{"order_id":"#1"}}</tool_call>';

interface Told {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: string;
  readonly reason: FinishReason;
  readonly order: string;
}

function run(stop: string | readonly string[], pieces: readonly string[], tools = [tool]): Told {
  const answer = new Answer({
    decoder: { push: (token) => pieces[token] ?? '' },
    stop,
    tools,
    startsInReasoning: false,
  });
  const events: EngineEvent[] = [];
  for (let token = 0; token < pieces.length && !answer.isStopped; token += 1) events.push(...answer.push(token));
  events.push(...answer.flush());
  const join = (type: string): string =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
  const calls = events
    .map((event) => (event.type === 'tool-call-delta' ? (event.name ?? '') + (event.arguments ?? '') : ''))
    .join('');
  const order = events
    .map(({ type }) => type)
    .filter((type, index, all) => type !== all[index - 1])
    .join(' ');
  return {
    content: join('text-delta'),
    reasoning: join('reasoning-delta'),
    calls,
    reason: answer.toFinishReason(false),
    order,
  };
}

/** The same text in one piece and in single characters. */
function expectBoth(stop: string | readonly string[], text: string, told: Partial<Told>): void {
  expect(run(stop, [text])).toMatchObject(told);
  expect(run(stop, [...text])).toMatchObject(told);
}

describe('stop sequences beside calls (SPEC 4.3)', () => {
  const called = 'cancel_order{"order_id":"#1"}';

  it.each(['order', 'cancel_', '"', '<', 'tool', '</tool_call>', '}}', 'name":"cancel_order'])(
    '%j inside of a call does not cut it',
    (stop) => {
      expectBoth(stop, CALL, { content: '', calls: called, reason: 'tool_calls' });
    },
  );

  it('cut the words before a call, and the call with them', () => {
    expectBoth('END', `One END two ${CALL}`, { content: 'One ', calls: '', reason: 'stop' });
  });

  it('cut the words after a call, which stays', () => {
    expectBoth('END', `${CALL} One END ${CALL}`, { content: ' One ', calls: called, reason: 'tool_calls' });
  });

  it('do not reach over a call, and what they held back comes before it', () => {
    expectBoth('ab', `xa${CALL}by`, { content: 'xaby', calls: called, order: 'text-delta tool-call-delta text-delta' });
  });

  it('cut text that only looks like a call', () => {
    expectBoth('order', '<tool_call>{"name":"drop_order"}</tool_call>', {
      content: '<tool_call>{"name":"drop_',
      calls: '',
      reason: 'stop',
    });
  });

  it('cut reasoning, and hold nothing of it back for the text', () => {
    expectBoth('END', '<think>a END b</think>c', { reasoning: 'a ', content: '', reason: 'stop' });
    expectBoth('END', '<think>a EN</think>D', { reasoning: 'a EN', content: 'D', order: 'reasoning-delta text-delta' });
  });

  it('cut everything where calls are text', () => {
    expect(run('order', [CALL], [])).toMatchObject({
      content: '<tool_call>{"name":"cancel_',
      calls: '',
      reason: 'stop',
    });
  });
});
