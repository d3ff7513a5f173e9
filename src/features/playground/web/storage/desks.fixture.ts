// A desk with a bit of everything, and the parts it is made of.
import {
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';

export const user = (id: string, content = `message ${id}`): Turn => ({ id, role: 'user', content });
export const version = (id: string, more: Partial<Answer> = {}): Answer => ({
  ...toPendingAnswer(id, 'm', 5),
  phase: 'done',
  ...more,
});
export const answer = (id: string, more: Partial<Answer> = {}): AnswerTurn => toAnswerTurn(id, [version(id, more)]);
export const FULL_VERSION = version('a', {
  message: {
    id: 'chat-1',
    model: 'm-1',
    fingerprint: 'fp',
    created: 9,
    text: 'Text',
    reasoning: 'why',
    toolCalls: [{ id: 'c', name: 'f', arguments: '{"x":' }],
    usage: { prompt_tokens: 38, completion_tokens: null, total_tokens: 0 },
    tokensPerSecond: 61.5,
    finish_reason: 'stop',
    state: 'complete',
    problem: null,
  },
  timing: { firstMs: 1, textMs: 2, endMs: 3 },
  failure: { message: 'No.', hint: 'Try.', status: 500, code: 'c', param: 'messages[0]', requestId: 'r' },
  phase: 'failed',
  batch: 'b1',
  seed: 7,
  isEdited: true,
});
export const FULL_ANSWER: AnswerTurn = {
  id: 'turn',
  role: 'assistant',
  versions: [version('old'), FULL_VERSION, version('new')],
  shown: 1,
};
export const TOOL = { id: 'tool', role: 'tool', tool_call_id: 'c', name: 'f', content: '4' } as const satisfies Turn;
export const DESK: Desk = {
  panes: [
    { ...toPane('p', 'a'), turns: [user('u'), FULL_ANSWER, TOOL] },
    { ...toPane('q', ''), own: { seed: 7, stop: ['x'], tools: null, systemPrompt: 'Own.' } },
  ],
  parked: [{ ...toPane('r', 'b'), turns: [user('v')] }],
  draft: 'half a mess',
  shared: {
    systemPrompt: 'Be brief.',
    temperature: 0,
    tools: '[',
    tool_choice: 'tool:f',
    response_format: 'json_schema',
    schema: { name: 'n', text: '{', strict: false },
  },
};
export const allTurns = (desk: Desk): readonly Turn[] => [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
