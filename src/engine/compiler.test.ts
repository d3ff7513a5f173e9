// Requests are compiled in a thread that can be ended. What is compiled: responseGrammar.test.ts, chatTemplate.test.ts.
import { MessageChannel } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Isolated, IsolatedEnd } from '#service/threads/isolated.ts';
import type { Question, Reply } from '#service/threads/threadRequests.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import { openChatTemplate } from './chatTemplate.ts';
import { compileRequest, GrammarCache } from './compileJob.ts';
import type { Part } from './compileEntry.ts';
import { openCompiler, type CompilerOptions } from './compiler.ts';
import { IDLE } from './sampleModel.fixture.ts';

const marks = { bosText: '<s>', eosText: '</s>', markTexts: ['<|im_start|>', '<|im_end|>'] };
const CHATML: TemplateSource = { text: null, marks };
/** 10^12 rounds without output. */
const ENDLESS: TemplateSource = {
  text: '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
  marks,
};
const HELLO = { messages: [{ role: 'user' as const, content: 'Hello' }] };

const compiler = openCompiler({ limitMs: 20_000 });
afterAll(() => compiler.close());

function withSchema(schema: Record<string, unknown>): Parameters<typeof compiler.prepare>[0] {
  return { ...HELLO, response_format: { type: 'json_schema', json_schema: { schema } } };
}

const COMPILED = { pieces: ['by hand'], grammar: null };

/** A thread that says what a test lets it say. */
class ThreadByHand implements Isolated<Question> {
  readonly pid = null;
  readonly questions: Question[] = [];
  #end: (end: IsolatedEnd) => void = () => undefined;
  readonly ended = new Promise<IsolatedEnd>((resolve) => {
    this.#end = resolve;
  });
  constructor(readonly say: (reply: Reply | Part) => void) {}
  post(question: Question): void {
    this.questions.push(question);
  }
  hold(): void {}
  async end(): Promise<void> {
    this.#end({ cause: 'asked', error: null, signal: null, lastLines: [] });
  }
  /** It can take a request from now on, and gets one that waits. */
  async begin(): Promise<void> {
    this.say({ number: 1, value: true });
    await new Promise(setImmediate);
  }
  finish(): void {
    this.say({ number: 2, value: COMPILED });
  }
}

function openByHand(options: CompilerOptions = {}) {
  const threads: ThreadByHand[] = [];
  const open: CompilerOptions['open'] = (onMessage) => {
    const thread = new ThreadByHand(onMessage);
    threads.push(thread);
    return thread;
  };
  return { threads, own: openCompiler({ limitMs: 600_000, threads: 1, ...options, open }) };
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
  afterEach(() => vi.useRealTimers());

  it('is ended with 400; requests beside it and after it are served', async () => {
    // The limit is over when the test says so, and only for what never ends.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let cpuMs = 0;
    const strict = openCompiler({ limitMs: 60_000, readCpuMs: () => cpuMs });
    const endAtLimit = async (): Promise<void> => {
      const ended = expect(strict.prepare(HELLO, ENDLESS, IDLE)).rejects.toMatchObject({
        name: 'EngineError',
        status: 400,
        code: 'template_error',
        param: 'messages',
        message: expect.stringContaining('60000 ms') as string,
      });
      expect((await strict.prepare(HELLO, CHATML, IDLE)).grammar).toBeNull();
      cpuMs += 60_000;
      vi.advanceTimersByTime(60_000);
      await ended;
    };
    try {
      await strict.prepare(HELLO, CHATML, IDLE);
      await endAtLimit();
      // The other thread, or the one that was started in place of the first.
      await endAtLimit();
      expect((await strict.prepare(HELLO, CHATML, IDLE)).grammar).toBeNull();
    } finally {
      await strict.close();
    }
  });

  it('frees a caller who leaves: in the queue at once, at work when the thread is free again', async () => {
    const { threads, own } = openByHand();
    const controllers = [new AbortController(), new AbortController()];
    const [first, second] = controllers.map(({ signal }) => own.prepare(HELLO, CHATML, signal));
    let isFirstOver = false;
    first?.catch(() => (isFirstOver = true));
    await threads[0]?.begin();
    for (const controller of controllers) controller.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(isFirstOver).toBe(false);
    threads[0]?.finish();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    await expect(own.prepare(HELLO, CHATML, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not what waited for a busy loop: a reply that has come is taken before the limit', async () => {
    const limitMs = 20;
    const { port1: threadEnd, port2: ownEnd } = new MessageChannel();
    const { threads, own } = openByHand({ limitMs, readCpuMs: () => performance.now() });
    const asked = own.prepare(HELLO, CHATML, IDLE);
    ownEnd.on('message', () => threads[0]?.finish());
    await threads[0]?.begin();
    threadEnd.postMessage('done', []);
    // Nothing else runs in this thread until the limit is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * limitMs);
    await expect(asked).resolves.toEqual(COMPILED);
    ownEnd.close();
  });

  it('is not what waited for a processor: on a busy machine the answer is 503 with the time to wait', async () => {
    const { threads, own } = openByHand({ limitMs: 10, readCpuMs: () => 0 });
    const asked = own.prepare(HELLO, CHATML, IDLE);
    await threads[0]?.begin();
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'engine_busy', retryAfter: '2' });
    expect(threads).toHaveLength(2);
  });

  it('a message of the thread that was ended is not taken for one of its successor', async () => {
    let cpuMs = 0;
    const { threads, own } = openByHand({ limitMs: 600, readCpuMs: () => cpuMs });
    const first = own.prepare(HELLO, CHATML, IDLE);
    await threads[0]?.begin();
    cpuMs = 1_000;
    await expect(first).rejects.toThrow('600 ms');
    const second = own.prepare(HELLO, CHATML, IDLE);
    let isSecondOver = false;
    second.then(
      () => (isSecondOver = true),
      () => (isSecondOver = true),
    );
    await threads[0]?.begin();
    expect(threads[1]?.questions).toHaveLength(1);
    await threads[1]?.begin();
    expect(threads[1]?.questions).toHaveLength(2);
    threads[0]?.finish();
    await new Promise(setImmediate);
    expect(isSecondOver).toBe(false);
    threads[1]?.finish();
    await expect(second).resolves.toBe(COMPILED);
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

it('a defect: the caller gets one sentence, the log gets the stack', async () => {
  const lines: string[] = [];
  const { threads, own } = openByHand({ report: (line) => lines.push(line) });
  const asked = own.prepare(HELLO, CHATML, IDLE);
  await threads[0]?.begin();
  threads[0]?.say({ number: 2, stack: 'TypeError: x\n    at compile (/secret/path.ts:1:1)' });
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'EngineError', status: 500, code: 'compile_failed' });
  expect((error as Error).message).not.toMatch(/secret|TypeError/);
  expect(lines).toEqual([expect.stringContaining('/secret/path.ts')]);
});

it('a schema whose time is over before its steps are: the machine was busy', () => {
  const values = Array.from({ length: 6_000 }, (_, index) => `v${index}`);
  const limits = { limitMs: -1, onPart: () => undefined };
  const template = openChatTemplate(null, marks);
  expect(() => compileRequest(withSchema({ enum: values }), template, new GrammarCache(), limits)).toThrow(
    expect.objectContaining({ status: 503, code: 'engine_busy', retryAfter: '2' }),
  );
});
