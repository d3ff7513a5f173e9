import { afterAll, describe, expect, it } from 'vitest';
import { EngineError } from './engine.ts';
import {
  ask,
  BASE,
  conversation,
  IDLE as idle,
  openSampleEngine,
  REPLIES,
  SAMPLE_FILES,
  toAnswer,
  TRIAGE,
} from './sampleModel.fixture.ts';

const engine = openSampleEngine();
afterAll(() => engine.close());

async function errorOf(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngineError)) throw new Error(`Expected an EngineError, got ${String(error)}.`);
  return error;
}

describe('models', () => {
  it('lists ids, finds aliases and answers with the full id', async () => {
    expect((await engine.listModels()).map(({ id }) => id)).toEqual(SAMPLE_FILES.map(({ id }) => id));
    const byAlias = await engine.load('triage-alias', idle);
    const byId = await engine.load('triage', idle);
    expect(byAlias?.id).toBe('triage');
    expect(byAlias?.fingerprint).toBe(byId?.fingerprint);
    expect(await engine.load('nothing', idle)).toBeNull();
  });

  it('tells models and adapters apart by fingerprint', async () => {
    const prints = await Promise.all(SAMPLE_FILES.map(async ({ id }) => (await engine.load(id, idle))?.fingerprint));
    expect(new Set(prints).size).toBe(SAMPLE_FILES.length);
    for (const print of prints) expect(print).toMatch(/^fp_[0-9a-f]{16}$/);
  });

  it('answers as it was trained, through a LoRA adapter', async () => {
    const answer = await ask(engine, 'triage', { messages: TRIAGE, temperature: 0 });
    expect(JSON.parse(answer.text)).toEqual({
      category: 'shipping',
      priority: 'high',
      sentiment: expect.any(String) as string,
    });
    expect(answer.end.finish_reason).toBe('stop');
  });
});

describe('parameters beyond SPEC 4.3', () => {
  it('are named in the list', async () => {
    for (const { supported_parameters } of await engine.listModels())
      expect(supported_parameters).toEqual(['top_k', 'min_p', 'repetition_penalty', 'logprobs']);
  });

  it('narrow the choice to the likeliest token, and back', async () => {
    const hot = { messages: REPLIES, temperature: 2, seed: 5, max_completion_tokens: 40 };
    const greedy = await ask(engine, 'replies', { ...hot, temperature: 0 });
    expect((await ask(engine, 'replies', hot)).text).not.toBe(greedy.text);
    for (const narrow of [{ top_k: 1 }, { min_p: 1 }])
      expect((await ask(engine, 'replies', { ...hot, ...narrow })).text).toBe(greedy.text);
    for (const off of [{ top_k: 0 }, { min_p: 0 }, { repetition_penalty: 1 }])
      expect((await ask(engine, 'replies', { ...hot, ...off })).text).toBe((await ask(engine, 'replies', hot)).text);
  });

  it('let an answer repeat itself', async () => {
    const asked = { messages: REPLIES, temperature: 0, max_completion_tokens: 60 };
    const plain = await ask(engine, 'replies', asked);
    const repeating = await ask(engine, 'replies', { ...asked, repetition_penalty: 0.1 });
    const toVariety = (text: string): number => {
      const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
      return new Set(words).size / words.length;
    };
    expect(toVariety(repeating.text)).toBeLessThan(toVariety(plain.text));
  });

  it('name each token of an answer with its log probability and the likeliest ones in its place', async () => {
    const asked = { messages: REPLIES, temperature: 0, max_completion_tokens: 30 };
    const { events, text, end } = await ask(engine, 'replies', { ...asked, logprobs: true, top_logprobs: 3 });
    const tokens = events.flatMap((event) => (event.type === 'logprobs' ? event.tokens : []));
    expect(tokens.map(({ token }) => token).join('')).toContain(text.trimEnd());
    expect(tokens).toHaveLength((end.usage?.completion_tokens ?? 0) - (end.finish_reason === 'stop' ? 1 : 0));
    for (const { token, logprob, bytes, top_logprobs } of tokens) {
      expect(top_logprobs).toHaveLength(3);
      // At temperature 0 the likeliest token is taken.
      expect(top_logprobs[0]).toEqual({ token, logprob, bytes });
      expect(Buffer.from(bytes ?? []).toString()).toBe(token);
      expect(top_logprobs.reduce((sum, other) => sum + Math.exp(other.logprob), 0)).toBeLessThanOrEqual(1.0001);
    }
    expect((await ask(engine, 'replies', asked)).events.some(({ type }) => type === 'logprobs')).toBe(false);
  });
});

describe('sampling (SPEC 4.3)', () => {
  const sampled = { messages: REPLIES, temperature: 1.3, top_p: 0.95, max_completion_tokens: 60 };

  it('is greedy at temperature 0 and at top_p 0, whatever the seed', async () => {
    const greedy = await ask(engine, 'replies', { messages: REPLIES, temperature: 0 });
    expect((await ask(engine, 'replies', { messages: REPLIES, temperature: 0, seed: 5 })).text).toBe(greedy.text);
    expect((await ask(engine, 'replies', { messages: REPLIES, temperature: 2, top_p: 0, seed: 5 })).text).toBe(
      greedy.text,
    );
    expect((await ask(engine, 'replies', { messages: REPLIES, temperature: 1e-40, seed: 5 })).text).toBe(greedy.text);
  });

  it.each([7, 0, -1, -2, 2 ** 32 - 1, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'gives the same text for seed %i again',
    async (seed) => {
      const one = await ask(engine, 'base', { ...sampled, messages: BASE, seed });
      const two = await ask(engine, 'base', { ...sampled, messages: BASE, seed });
      expect(two.text).toBe(one.text);
    },
  );

  it('gives different texts without a seed and for different seeds', async () => {
    const texts = await Promise.all(
      [undefined, undefined, 1, 2].map(
        async (seed) =>
          (await ask(engine, 'replies', { messages: REPLIES, temperature: 2, max_completion_tokens: 60, seed })).text,
      ),
    );
    expect(new Set(texts).size).toBe(4);
  });

  it('gives the same text for the same seed alone, beside 8 others, and on a used sequence', async () => {
    const request = { ...sampled, seed: 7, frequency_penalty: 0.4 };
    const alone = (await ask(engine, 'replies', request)).text;
    const crowd = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        index % 3 === 0
          ? ask(engine, 'replies', request)
          : ask(engine, index % 2 === 0 ? 'replies' : 'base', {
              ...sampled,
              messages: conversation('You are a support assistant.', `Question ${index} `.repeat(index * 4)),
              seed: index,
            }),
      ),
    );
    expect(crowd.filter((_, index) => index % 3 === 0).map(({ text }) => text)).toEqual([alone, alone, alone]);
    expect((await ask(engine, 'replies', request)).text).toBe(alone);
  });

  it('gives the same text when the conversation so far need not be read again', async () => {
    const long = conversation('Reply politely in markdown.', 'My order ORD-99141 has not arrived. '.repeat(12));
    const request = {
      messages: [
        ...long,
        { role: 'assistant' as const, content: 'Sorry.' },
        { role: 'user' as const, content: 'And now?' },
      ],
      temperature: 1,
      seed: 3,
      max_completion_tokens: 40,
    };
    const fresh = openSampleEngine();
    try {
      const expected = await ask(fresh, 'replies', request);
      await ask(engine, 'replies', { messages: long, temperature: 0, max_completion_tokens: 20 });
      const reused = await ask(engine, 'replies', request);
      expect(reused.text).toBe(expected.text);
      expect(reused.end.usage).toEqual(expected.end.usage);
    } finally {
      await fresh.close();
    }
  });

  it('uses temperature 0.7 and top_p 1 for null and when they are not sent', async () => {
    const request = { messages: BASE, seed: 11, max_completion_tokens: 50 };
    const spelled = await ask(engine, 'base', { ...request, temperature: 0.7, top_p: 1 });
    expect((await ask(engine, 'base', request)).text).toBe(spelled.text);
    expect(
      (await ask(engine, 'base', { ...request, temperature: null, top_p: null, max_completion_tokens: 50 })).text,
    ).toBe(spelled.text);
  });
});

describe('length, usage and stop', () => {
  it('stops at max_completion_tokens and counts tokens', async () => {
    const whole = await ask(engine, 'replies', { messages: REPLIES, temperature: 0 });
    const usage = whole.end.usage;
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    const cut = await ask(engine, 'replies', { messages: REPLIES, temperature: 0, max_completion_tokens: 5 });
    expect(cut.end).toMatchObject({
      finish_reason: 'length',
      usage: { completion_tokens: 5, prompt_tokens: usage?.prompt_tokens },
    });
    expect(whole.text.startsWith(cut.text)).toBe(true);
    const exact = await ask(engine, 'replies', {
      messages: REPLIES,
      temperature: 0,
      max_completion_tokens: usage?.completion_tokens ?? 0,
    });
    expect(exact.end.finish_reason).toBe('stop');
    expect(exact.text).toBe(whole.text);
  });

  it('fills the context and no more when the answer has no end', async () => {
    const answer = await ask(engine, 'base', {
      messages: BASE,
      temperature: 2,
      seed: 1,
      frequency_penalty: 2,
      presence_penalty: 2,
      max_completion_tokens: null,
      stop: undefined,
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { type: 'array', items: { type: 'integer', minimum: 100 }, minItems: 1000 } },
      },
    });
    expect(answer.end).toMatchObject({ finish_reason: 'length', usage: { total_tokens: 512 } });
  });

  it('refuses a conversation that is too long, with the numbers', async () => {
    for (const repeats of [300, 100_000]) {
      const error = await errorOf(
        ask(engine, 'base', { messages: conversation('You are a support assistant.', 'hello there '.repeat(repeats)) }),
      );
      expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
      expect(error.message).toMatch(/\d{3,} tokens.*512/);
    }
  });

  it.each([1, 2, 3, 5, 9, 17])(
    'cuts at a stop sequence of %i characters wherever it falls, and never shows it',
    async (length) => {
      const { text } = await ask(engine, 'replies', { messages: REPLIES, temperature: 0 });
      for (let at = 0; at < text.length - length; at += 13) {
        const stop = text.slice(at, at + length);
        const answer = await ask(engine, 'replies', {
          messages: REPLIES,
          temperature: 0,
          stop: [stop, 'never in this text'],
        });
        expect(answer.text).toBe(text.slice(0, text.indexOf(stop)));
        expect(answer.end.finish_reason).toBe('stop');
        expect(answer.end.usage?.completion_tokens).toBeLessThanOrEqual(length + answer.text.length + 1);
      }
    },
  );

  it('shows whole characters only, and spaces as they are', async () => {
    const messages = conversation('Repeat.', 'Repeat this: a  b   c – 日本語 🙂');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, seed) =>
        ask(engine, 'base', { messages, temperature: 2, seed, max_completion_tokens: 200 }),
      ),
    );
    for (const { events } of answers) {
      for (const event of events)
        if (event.type === 'text-delta') expect(Buffer.from(event.text).toString()).toBe(event.text);
    }
  });
});

describe('templates', () => {
  it('takes developer for system', async () => {
    const system = await ask(engine, 'triage', { messages: TRIAGE, temperature: 0 });
    const developer = await ask(engine, 'triage', {
      messages: [{ role: 'developer', content: TRIAGE[0]?.content }, ...TRIAGE.slice(1)],
      temperature: 0,
    });
    expect(developer.text).toBe(system.text);
  });
});

describe('events', () => {
  it('ends exactly once and streams a delta for nearly every token', async () => {
    const { events, end } = await ask(engine, 'replies', { messages: REPLIES, temperature: 0 });
    expect(() => toAnswer(events)).not.toThrow();
    expect(events.length).toBeGreaterThan((end.usage?.completion_tokens ?? 0) * 0.9);
  });
});
