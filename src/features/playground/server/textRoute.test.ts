import { expect, it } from 'vitest';
import { textChunkSchema, textCompletionSchema } from '#core/contract/textCompletion.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());

const TEXT = '/api/v1/completions';
const LOGPROBS = {
  tokens: ['a', ' b'],
  token_logprobs: [null, -2],
  top_logprobs: [null, { ' b': -2, ' c': -0.5 }],
  text_offset: [0, 1],
};

it('answers each prompt with a choice, and counts all of them', async () => {
  const answer = await service.post(TEXT, { model: 'scored', prompt: ['x', 'y'], echo: true, logprobs: 1 });
  expect(textCompletionSchema.parse(answer.json())).toMatchObject({
    object: 'text_completion',
    model: 'full/scored',
    choices: [
      { text: 'a b', index: 0, logprobs: LOGPROBS, finish_reason: 'length' },
      { text: 'a b', index: 1, logprobs: LOGPROBS, finish_reason: 'length' },
    ],
    usage: { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 },
  });
});

it.each([
  ['a text', 'x', ['x']],
  ['texts', ['x', 'y'], ['x', 'y']],
  ['token numbers', [1, 2], [[1, 2]]],
  ['lists of token numbers', [[1], [2]], [[1], [2]]],
])('takes %s', async (_, prompt, prompts) => {
  service.engine.requests.length = 0;
  expect((await service.post(TEXT, { model: 'scored', prompt, stop: null, n: 1 })).status).toBe(200);
  expect(service.engine.requests).toEqual(
    prompts.map((each) => ({ prompt: each, max_tokens: 16, echo: false, logprobs: null })),
  );
});

it('streams chunks, usage if asked for, and the end mark', async () => {
  const request = { model: 'scored', prompt: 'x', logprobs: 1, stream: true, stream_options: { include_usage: true } };
  const { text } = await service.post(TEXT, request);
  const data = text
    .split('\n\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice(6));
  expect(data.pop()).toBe('[DONE]');
  const chunks = data.map((line) => textChunkSchema.parse(JSON.parse(line)));
  expect(
    chunks.map(({ choices: [choice] }) => [choice?.text, choice?.logprobs?.tokens, choice?.finish_reason]),
  ).toEqual([
    ['a', ['a'], null],
    [' b', [' b'], null],
    ['', undefined, 'length'],
    [undefined, undefined, undefined],
  ]);
  expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 5 });
});

it.each([
  [{ model: 'plain', prompt: 'x' }, 400, 'model', 'chat_only'],
  [{ model: 'none', prompt: 'x' }, 404, 'model', 'model_not_found'],
  [{ model: 'scored' }, 400, 'prompt', 'invalid_request'],
  [{ model: 'scored', prompt: [] }, 400, 'prompt', 'invalid_request'],
  [{ model: 'scored', prompt: [1.5] }, 400, 'prompt', 'invalid_request'],
  [{ model: 'scored', prompt: ['x', 1] }, 400, 'prompt', 'invalid_request'],
  [{ model: 'scored', prompt: 'x', n: 2 }, 400, 'n', 'invalid_request'],
  [{ model: 'scored', prompt: 'x', best_of: 2 }, 400, 'best_of', 'invalid_request'],
  [{ model: 'scored', prompt: 'x', suffix: 'y' }, 400, 'suffix', 'invalid_request'],
  [{ model: 'scored', prompt: 'x', logprobs: 21 }, 400, 'logprobs', 'invalid_request'],
  [{ model: 'scored', prompt: 'x', max_tokens: 0 }, 400, 'max_tokens', 'invalid_request'],
])('answers %j with %i and names %s', async (request, status, param, code) => {
  const answer = await service.post(TEXT, request);
  expect([answer.status, answer.json()]).toMatchObject([status, { error: { param, code } }]);
});

it('wants a token', async () => {
  const answer = await service.ask(TEXT, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"model":"scored","prompt":"x"}',
  });
  expect(answer.status).toBe(401);
});
