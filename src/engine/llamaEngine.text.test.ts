// Texts that go on, and how likely a model finds them.
import { afterAll, expect, it } from 'vitest';
import type { TextRequest } from '#core/contract/textCompletion.ts';
import type { EngineEvent, ScoredToken } from './engine.ts';
import { IDLE, openSampleEngine } from './sampleModel.fixture.ts';

const engine = openSampleEngine();
afterAll(() => engine.close());

const START = { temperature: 0, max_tokens: 8, echo: false, logprobs: null } as const;

interface Completed {
  readonly text: string;
  readonly tokens: readonly ScoredToken[];
  readonly end: Extract<EngineEvent, { type: 'message-end' }>;
}

async function complete(request: Partial<TextRequest> & Pick<TextRequest, 'prompt'>): Promise<Completed> {
  const model = await engine.load('base', IDLE);
  if (!model?.complete) throw new Error('The model completes no text.');
  let text = '';
  const tokens: ScoredToken[] = [];
  let end: EngineEvent | undefined;
  for await (const event of model.complete({ ...START, ...request }, IDLE)) {
    end = event;
    if (event.type !== 'text-delta') continue;
    text += event.text;
    tokens.push(...(event.tokens ?? []));
  }
  if (end?.type !== 'message-end') throw new Error('There is no end.');
  return { text, tokens, end };
}

const sum = (tokens: readonly ScoredToken[]): number => tokens.reduce((all, { logprob }) => all + (logprob ?? 0), 0);
const PROMPT = 'Thank you for your message. Please send us your';

it('finds what it wrote as likely as when it wrote it', async () => {
  const all = await complete({ prompt: PROMPT, logprobs: 3 });
  const written = { ...all, tokens: all.tokens.filter(({ text }) => text !== '<|im_end|>') };
  expect(written.tokens.length).toBeGreaterThan(2);
  // At temperature 0 each token is the likeliest.
  for (const { text, logprob, top } of written.tokens) expect(top?.[0]).toEqual([text, logprob]);
  const read = await complete({ prompt: PROMPT + written.text, max_tokens: 0, echo: true, logprobs: 3 });
  expect(read.text).toBe(PROMPT + written.text);
  expect(read.end).toMatchObject({ finish_reason: 'length', usage: { completion_tokens: 0 } });
  const tail = read.tokens.slice(-written.tokens.length);
  expect(tail.map(({ text }) => text)).toEqual(written.tokens.map(({ text }) => text));
  expect(sum(tail)).toBeCloseTo(sum(written.tokens), 2);
  expect(read.tokens[0]).toMatchObject({ logprob: null, top: null, offset: 0 });
  for (const { text, offset } of read.tokens.slice(1)) expect(read.text.startsWith(text, offset)).toBe(true);
});

it('names the end mark as the token that it is', async () => {
  const { text, tokens, end } = await complete({ prompt: `${PROMPT} order number`, max_tokens: 40, logprobs: 0 });
  expect(end.finish_reason).toBe('stop');
  expect(tokens).toHaveLength(end.usage?.completion_tokens ?? 0);
  expect(tokens.at(-1)).toMatchObject({ text: '<|im_end|>', offset: text.length });
});

it('gives probabilities of at most one, the likeliest first', async () => {
  const { tokens } = await complete({ prompt: PROMPT, max_tokens: 0, echo: true, logprobs: 20 });
  for (const { logprob, top } of tokens.slice(1)) {
    const all = (top ?? []).map(([, value]) => value);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(all.reduce((total, value) => total + Math.exp(value), 0)).toBeLessThan(1.0001);
    expect(logprob).toBeLessThanOrEqual(all[0] ?? Number.NaN);
  }
});

it('finds another ending less likely', async () => {
  const score = async (text: string): Promise<number> =>
    sum((await complete({ prompt: text, max_tokens: 0, echo: true, logprobs: 0 })).tokens);
  expect(await score('Please send us your order number')).toBeGreaterThan(await score('Please send us your zzz qqq'));
});

it('goes on after token numbers as after their text, and refuses those it does not have', async () => {
  const [text, numbers] = await Promise.all([
    complete({ prompt: 'a' }),
    complete({ prompt: [(await complete({ prompt: 'a', max_tokens: 0, echo: true, logprobs: 0 })).tokens.length] }),
  ]);
  expect(text.end.usage?.prompt_tokens).toBe(numbers.end.usage?.prompt_tokens);
  await expect(complete({ prompt: [1, 99_999] })).rejects.toMatchObject({ code: 'unknown_token', param: 'prompt' });
  await expect(complete({ prompt: '' })).rejects.toMatchObject({ code: 'empty_prompt' });
  await expect(complete({ prompt: 'a '.repeat(4_000) })).rejects.toMatchObject({ code: 'context_length_exceeded' });
});

it('ends before a stop sequence, and names the tokens before it only', async () => {
  const whole = await complete({ prompt: PROMPT, logprobs: 0 });
  const stop = whole.text.slice(6, 9);
  const cut = await complete({ prompt: PROMPT, logprobs: 0, stop });
  expect(cut.text).toBe(whole.text.slice(0, whole.text.indexOf(stop)));
  expect(cut.end.finish_reason).toBe('stop');
  for (const { offset } of cut.tokens) expect(offset).toBeLessThan(cut.text.length);
});

it('gives the same text for the same seed, also after a text that was scored', async () => {
  const drawn = { prompt: PROMPT, temperature: 1.2, seed: 7 };
  const first = await complete(drawn);
  await complete({ prompt: PROMPT, max_tokens: 0, echo: true, logprobs: 1 });
  expect((await complete(drawn)).text).toBe(first.text);
  const echoed = await complete({ ...drawn, echo: true });
  expect(echoed.text).toBe(PROMPT + first.text);
});
