import { describe, expect, it } from 'vitest';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type AnswerPhase,
  type Desk,
  type Pane,
  type Turn,
} from './desk.ts';
import { findSeedProblem, paneObstacle, readyPanes, runObstacle, toPaneRequest } from './paneRequest.ts';

const user = (id: string): Turn => ({ id, role: 'user', content: id });
const answer = (id: string, phase: AnswerPhase = 'done', callId: string | null = null): Turn => {
  const toolCalls = callId === null ? [] : [{ id: callId, name: 'get_order', arguments: '{"id":1}' }];
  return toAnswerTurn(id, [
    {
      ...toPendingAnswer(id, 'm', 0),
      phase,
      message: { ...EMPTY_MESSAGE, text: phase === 'done' ? `answer ${id}` : '', toolCalls, state: 'complete' },
    },
  ]);
};
const pane = (id: string, turns: readonly Turn[] = [], more: Partial<Pane> = {}): Pane => ({
  ...toPane(id, 'm'),
  turns,
  ...more,
});
const deskOf = (panes: readonly Pane[], more: Partial<Desk> = {}): Desk => ({ ...EMPTY_DESK, panes, ...more });

describe('the request of a pane', () => {
  const tools = JSON.stringify([{ type: 'function', function: { name: 'get_order' } }]);

  it('is made of its conversation, its settings and the shared ones', () => {
    const turns: readonly Turn[] = [
      user('u'),
      answer('a', 'done', 'c1'),
      { id: 't', role: 'tool', tool_call_id: 'c1', name: 'get_order', content: '{"state":"sent"}' },
      answer('b', 'sending'),
    ];
    const one = pane('p', turns, { own: { systemPrompt: 'Own.', seed: 7, top_p: null } });
    const desk = deskOf([one], {
      shared: {
        systemPrompt: 'Shared.',
        temperature: 0,
        top_p: 0.5,
        tools,
        tool_choice: 'tool:get_order',
        response_format: 'json_object',
      },
    });
    const built = toPaneRequest(desk, one, { untilTurn: 'b', mode: 'local' });
    expect(built).toEqual({
      ok: true,
      request: {
        model: 'm',
        messages: [
          { role: 'system', content: 'Own.' },
          { role: 'user', content: 'u' },
          {
            role: 'assistant',
            content: 'answer a',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_order', arguments: '{"id":1}' } }],
          },
          { role: 'tool', content: '{"state":"sent"}', tool_call_id: 'c1', name: 'get_order' },
        ],
        temperature: 0,
        seed: 7,
        tools: [{ type: 'function', function: { name: 'get_order' } }],
        tool_choice: { type: 'function', function: { name: 'get_order' } },
        response_format: { type: 'json_object' },
        stream: true,
        stream_options: { include_usage: true },
      },
    });
    if (built.ok) expect(parseChatRequest(built.request).ok).toBe(true);
  });

  it('holds what is to be said next, where it is given', () => {
    const one = pane('p', [user('u'), answer('a')]);
    const messages = (draft: string) => {
      const built = toPaneRequest(deskOf([one]), one, { draft });
      return built.ok && built.request.messages.map((message) => message.content);
    };
    expect([messages('And?'), messages(' \n')]).toEqual([
      ['u', 'answer a', 'And?'],
      ['u', 'answer a'],
    ]);
  });

  it.each<[string, Pane, Partial<Desk>, string]>([
    ['no model', pane('p', [user('u')], { model: ' ' }), {}, 'Choose a model first.'],
    ['nothing said', pane('p'), {}, 'Write a message first.'],
    [
      'tools that are no JSON',
      pane('p', [user('u')]),
      { shared: { tools: '[\n\n{' } },
      'Tools: not valid JSON at line 3.',
    ],
    [
      'a call without a result',
      pane('p', [user('u'), answer('a', 'done', 'c1'), user('v')]),
      {},
      'Answer call get_order first or delete it.',
    ],
  ])('is not there with %s', (_what, one, more, problem) =>
    expect(toPaneRequest(deskOf([one], more), one)).toEqual({ ok: false, problem }),
  );

  it('for an answer does not mind what stands behind it', () => {
    const one = pane('p', [user('u'), answer('a', 'done', 'c1')]);
    expect(toPaneRequest(deskOf([one]), one, { untilTurn: 'a' }).ok).toBe(true);
  });
});

describe('why Run can not be used', () => {
  it.each<[string, readonly Pane[], Partial<Desk>, string | null]>([
    ['a message', [pane('p')], { draft: 'Hi' }, null],
    ['a pane without a model beside one', [pane('p', [], { model: '' }), pane('q')], { draft: 'Hi' }, null],
    ['no message', [pane('p')], { draft: ' \n' }, 'Write a message first.'],
    [
      'no model',
      [pane('p', [], { model: '' }), pane('q', [], { model: ' ' })],
      { draft: 'Hi' },
      'Choose a model first.',
    ],
    ['neither', [pane('p', [], { model: '' })], {}, 'Choose a model first.'],
    ['no message, but one that waits for its answer', [pane('p', [answer('a')]), pane('q', [user('u')])], {}, null],
    [
      'an answer on its way in whichever pane',
      [pane('p'), pane('q', [user('u'), answer('a', 'queued')])],
      { draft: 'Hi' },
      'An answer is being generated. Wait for it or stop it.',
    ],
    [
      'settings that can not be sent',
      [pane('p')],
      { draft: 'Hi', shared: { tools: '{' } },
      'Tools: not valid JSON at line 1.',
    ],
    [
      'a problem of one of several',
      [pane('p'), pane('q', [], { own: { tools: '[' } })],
      { draft: 'Hi' },
      'Pane 2: Tools: not valid JSON at line 1.',
    ],
    [
      'an open call and no message',
      [pane('p', [answer('a')]), pane('q', [answer('a', 'done', 'c')])],
      {},
      'Pane 2: Answer call get_order first or delete it.',
    ],
    [
      'an open call',
      [pane('p', [answer('a', 'done', 'c')])],
      { draft: 'Hi' },
      'Answer call get_order first or delete it.',
    ],
  ])('with %s', (_what, panes, more, expected) => expect(runObstacle(deskOf(panes, more))).toBe(expected));

  it('in one pane does not keep another from being run alone', () => {
    const [busy, free] = [pane('p', [user('u'), answer('a', 'streaming')]), pane('q')];
    const desk = deskOf([busy, free], { draft: 'Hi' });
    expect([paneObstacle(desk, busy), paneObstacle(desk, free), readyPanes(desk)]).toEqual([
      'An answer is being generated. Wait for it or stop it.',
      null,
      [free],
    ]);
  });

  it('without a draft asks the panes alone in which a message waits', () => {
    const [said, open] = [pane('p', [user('u'), answer('a')]), pane('q', [user('u')])];
    expect(readyPanes(deskOf([said, open]))).toEqual([open]);
  });
});

describe('samples', () => {
  const seedOf = (seed: number | undefined): Desk => deskOf([pane('p')], { shared: { seed } });

  it.each<[number | undefined, number]>([
    [undefined, 30],
    [-5, 30],
    [Number.MAX_SAFE_INTEGER, 1],
    [Number.MAX_SAFE_INTEGER - 3, 4],
  ])('have their seeds from %s on (%i)', (seed, samples) => expect(findSeedProblem(seedOf(seed), samples)).toBeNull());

  it('need seeds that JSON carries exactly', () => {
    expect(findSeedProblem(seedOf(Number.MAX_SAFE_INTEGER), 4)).toBe(
      'Seeds count up with the samples, to 9007199254740991 at most. For 4 of them set 9007199254740988 or less.',
    );
    expect(
      findSeedProblem(
        deskOf([pane('p'), pane('q', [], { own: { seed: Number.MAX_SAFE_INTEGER } })], { shared: { seed: 1 } }),
        2,
      ),
    ).toMatch(/^Pane 2: Seeds/);
  });
});

describe('where each message is sent alone', () => {
  const turns: readonly Turn[] = [user('u'), answer('a'), user('v'), answer('b', 'done', 'c1')];
  const desk = deskOf([pane('p', turns)], { isAlone: true, draft: 'next', shared: { systemPrompt: 'Sort.' } });
  const contents = (options: Parameters<typeof toPaneRequest>[2]) => {
    const built = toPaneRequest(desk, desk.panes[0]!, options);
    return built.ok ? built.request.messages.map(({ role, content }) => `${role}: ${content}`) : built.problem;
  };

  it('requests hold the system prompt and that message, also when an earlier answer is asked for again', () => {
    expect(contents({ draft: 'next' })).toEqual(['system: Sort.', 'user: next']);
    expect(contents({ untilTurn: 'a' })).toEqual(['system: Sort.', 'user: u']);
    expect(contents({ untilTurn: 'b' })).toEqual(['system: Sort.', 'user: v']);
  });

  it('an open call above does not hold the next message back', () => {
    expect(runObstacle(desk)).toBeNull();
    expect(runObstacle(deskOf(desk.panes, { draft: 'next' }))).toBe('Answer call get_order first or delete it.');
    expect(runObstacle({ ...desk, draft: '' })).toBe('Answer call get_order first or delete it.');
  });
});
