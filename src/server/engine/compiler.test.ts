// Requests are compiled in a worker that can be ended. What is compiled: responseGrammar.test.ts, chatTemplate.test.ts.
import { afterAll, describe, expect, it } from 'vitest';
import type { TemplateSource } from './chatTemplate.ts';
import { openCompiler } from './compiler.ts';
import { IDLE } from './sampleModel.fixture.ts';

const marks = { bosText: '<s>', eosText: '</s>', markTexts: ['<|im_start|>', '<|im_end|>'] };
const CHATML: TemplateSource = { text: null, marks };
/** 10^12 rounds without output. */
const ENDLESS: TemplateSource = {
  text: '{% for a in range(1000000) %}{% for b in range(1000000) %}{% endfor %}{% endfor %}',
  marks,
};
const HELLO = { messages: [{ role: 'user' as const, content: 'Hello' }] };

const compiler = openCompiler({ limitMs: 20_000 });
afterAll(() => compiler.close());

function withSchema(schema: Record<string, unknown>): Parameters<typeof compiler.prepare>[0] {
  return { ...HELLO, response_format: { type: 'json_schema', json_schema: { schema } } };
}

describe('openCompiler', () => {
  it('gives the prompt in pieces, and no grammar for free text', async () => {
    await expect(compiler.prepare(HELLO, CHATML, IDLE)).resolves.toEqual({
      pieces: ['<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n'],
      grammar: null,
    });
  });

  it('gives the same grammar for the same schema', async () => {
    const request = withSchema({ type: 'object', properties: { a: { type: 'string' } } });
    const first = await compiler.prepare(request, CHATML, IDLE);
    expect(first.grammar).toContain('root ::=');
    expect((await compiler.prepare(request, CHATML, IDLE)).grammar).toBe(first.grammar);
  });

  it('renders with the template that it was asked for, however many there are', async () => {
    const sources = Array.from({ length: 40 }, (_, index): TemplateSource => ({ text: `template ${index}`, marks }));
    const asked = [...sources, ...sources].map(async (source) => [
      source.text,
      (await compiler.prepare(HELLO, source, IDLE)).pieces.join(''),
    ]);
    for (const [text, prompt] of await Promise.all(asked)) expect(prompt).toBe(text);
  });

  it('passes on what is refused, with the path of the keyword', async () => {
    await expect(
      compiler.prepare(
        withSchema({ type: 'object', properties: { a: { pattern: '(.{0,100}x){0,90}' } } }),
        CHATML,
        IDLE,
      ),
    ).rejects.toMatchObject({
      name: 'EngineError',
      status: 400,
      code: 'unsupported_schema',
      param: 'response_format.json_schema.schema.properties.a.pattern',
    });
  });

  it('serves others while one request takes long', async () => {
    const patient = openCompiler({ limitMs: 20_000 });
    try {
      await patient.prepare(HELLO, CHATML, IDLE);
      let isLongOver = false;
      const long = patient.prepare(HELLO, ENDLESS, IDLE).catch(() => {
        isLongOver = true;
      });
      await patient.prepare(HELLO, CHATML, IDLE);
      expect(isLongOver).toBe(false);
      await patient.close();
      await long;
    } finally {
      await patient.close();
    }
  });
});

describe('what takes too long', () => {
  it('is ended with 400; requests before and after it are served', async () => {
    const strict = openCompiler({ limitMs: 1_000 });
    try {
      await strict.prepare(HELLO, CHATML, IDLE);
      const endless = expect(strict.prepare(HELLO, ENDLESS, IDLE)).rejects.toMatchObject({
        name: 'EngineError',
        status: 400,
        code: 'template_error',
        param: 'messages',
        message: expect.stringContaining('1000 ms') as string,
      });
      const behind = strict.prepare(HELLO, CHATML, IDLE);
      await endless;
      expect((await behind).grammar).toBeNull();
      // Both workers have been ended and replaced in turn.
      await expect(strict.prepare(HELLO, ENDLESS, IDLE)).rejects.toMatchObject({ status: 400 });
      expect((await strict.prepare(HELLO, CHATML, IDLE)).grammar).toBeNull();
    } finally {
      await strict.close();
    }
  });

  it('frees a caller who leaves, at work or in the queue', async () => {
    const own = openCompiler({ limitMs: 600_000 });
    const controllers = [new AbortController(), new AbortController()];
    const asked = controllers.map(({ signal }) => own.prepare(HELLO, ENDLESS, signal));
    for (const controller of controllers) controller.abort();
    for (const call of asked) await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect(own.prepare(HELLO, CHATML, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await own.close();
  });

  it('does not outlive closing', async () => {
    const own = openCompiler({ limitMs: 600_000 });
    const endless = expect(own.prepare(HELLO, ENDLESS, IDLE)).rejects.toMatchObject({
      status: 503,
      code: 'engine_closed',
    });
    await own.close();
    await endless;
    await expect(own.prepare(HELLO, CHATML, IDLE)).rejects.toMatchObject({ code: 'engine_closed' });
    await openCompiler().close();
  });
});
