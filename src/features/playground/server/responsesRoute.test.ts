import { describe, expect, it } from 'vitest';
import { responsesAnswerSchema } from '#core/contract/responses.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());

const RESPONSES = '/api/v1/responses';
const ask = (model: string, more: object = {}) => service.post(RESPONSES, { model, input: 'x', ...more });

type Said = Record<string, unknown> & { type: string; sequence_number: number };
async function stream(model: string): Promise<Said[]> {
  const { text } = await ask(model, { stream: true });
  return text
    .split('\n\n')
    .filter((part) => part.startsWith('event: '))
    .map((part) => {
      const [name = '', data = ''] = part.split('\n');
      const said = JSON.parse(data.slice('data: '.length)) as Said;
      expect(name).toBe(`event: ${said.type}`);
      return said;
    });
}

describe('a whole response', () => {
  it('follows the schema', async () => {
    const answer = responsesAnswerSchema.parse((await ask('plain', { metadata: { a: 'b' }, temperature: 1 })).json());
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'full/plain',
      metadata: { a: 'b' },
      temperature: 1,
      store: false,
      output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ text: 'Grüße "you"\n' }] }],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    });
  });

  it('has thoughts and calls as items of their own', async () => {
    const thought = responsesAnswerSchema.parse((await ask('thinking')).json());
    expect(thought.output).toMatchObject([
      { type: 'reasoning', content: [{ text: 'hm' }] },
      { type: 'message', content: [{ text: 'yes' }] },
    ]);
    const calls = responsesAnswerSchema.parse((await ask('tools')).json());
    expect(calls.output).toMatchObject([
      { type: 'function_call', call_id: 'call_a', name: 'look_up', arguments: '{"id":7}' },
      { type: 'function_call', call_id: 'call_b', name: 'send', arguments: '{}' },
    ]);
  });

  it('says that it was cut by its length', async () => {
    expect((await ask('no-usage')).json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: null,
    });
  });
});

describe('a streamed response', () => {
  it('tells each item as it begins, grows and ends, and the whole response last', async () => {
    const said = await stream('thinking');
    expect(said.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.reasoning_text.delta',
      'response.reasoning_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(said.map((event) => event.sequence_number)).toEqual(said.map((_, at) => at));
    // The first events tell how it was then.
    expect(said[0]?.['response']).toMatchObject({ status: 'in_progress', output: [] });
    const whole = responsesAnswerSchema.parse(said.at(-1)?.['response']);
    expect(whole.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  });

  it('tells the arguments of calls piece by piece', async () => {
    const said = await stream('tools');
    const pieces = said.filter(({ type }) => type === 'response.function_call_arguments.delta');
    expect(pieces.map(({ delta, output_index: place }) => [place, delta])).toEqual([
      [0, '{"id":'],
      [0, '7}'],
      [1, '{}'],
    ]);
    const done = said.filter(({ type }) => type === 'response.function_call_arguments.done');
    expect(done.map(({ name, arguments: given }) => [name, given])).toEqual([
      ['look_up', '{"id":7}'],
      ['send', '{}'],
    ]);
  });

  it('ends with an error after the text that came before it', async () => {
    const said = await stream('breaks-late');
    expect(said.find(({ type }) => type === 'response.output_text.delta')?.['delta']).toBe('half ');
    expect(said.at(-1)).toMatchObject({ type: 'error', code: 'out_of_memory', error: { code: 'out_of_memory' } });
  });
});

it.each([
  [{ model: 'none', input: 'x' }, 404, 'model', 'model_not_found'],
  [{ model: 'plain', input: 'x', previous_response_id: 'resp_1' }, 400, 'previous_response_id', 'invalid_request'],
  [{ model: 'overflow', input: 'x' }, 400, 'messages', 'context_length_exceeded'],
])('answers %j with %i', async (request, status, param, code) => {
  const answer = await service.post(RESPONSES, request);
  expect([answer.status, answer.json()]).toMatchObject([status, { error: { param, code } }]);
});

it('wants a token', async () => {
  const answer = await service.ask(RESPONSES, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"model":"plain","input":"x"}',
  });
  expect(answer.status).toBe(401);
});
