import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelFile } from '#engine/engine.ts';
import { readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { writeGguf, type GgufEntry } from '#engine/gguf/writeGguf.ts';
import { SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { openRowViews, ViewFailure } from './modelViews.ts';
import { openViewQueue } from './viewQueue.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

const SAMPLE = new URL('../../../projects/server/sample/support-base.Q8_0.gguf', import.meta.url).pathname;
/** 10 ** 14 rounds. */
const ENDLESS =
  '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{{ messages[0].content }}';

const folder = keepFolder();

/** The vocabulary of the sample with another text. */
async function writeChanged(key: string, value: string): Promise<string> {
  const { rawValues } = readGgufHeader(new Uint8Array(await readFile(SAMPLE)));
  const entries = new Map<string, GgufEntry>();
  for (const [name, bytes] of rawValues) entries.set(name, { type: 'raw', bytes });
  entries.set(key, { type: 'string', value });
  const path = join(folder, `${key}-${value.length}.gguf`);
  await writeFile(path, writeGguf(entries, []));
  return path;
}

const toFile = (id: string, path: string): ModelFile => ({
  id,
  aliases: [`${id}-alias`],
  path,
  adapter: null,
  created: 0,
  owned_by: 'local',
});

const row = (...messages: readonly (readonly [string, string])[]): string =>
  JSON.stringify({ messages: messages.map(([role, content]) => ({ role, content })) });
const chat = row(['user', 'Where is it?'], ['assistant', 'On its way.']);

const files = [
  toFile('base', SAMPLE),
  toFile('endless', await writeChanged('tokenizer.chat_template', ENDLESS)),
  toFile('no-template', await writeChanged('tokenizer.chat_template', '{% for %}')),
  // llama.cpp looks for bytes as tokens, which this vocabulary hasn't, and ends its process.
  toFile('crashing', await writeChanged('tokenizer.ggml.model', 'llama')),
  toFile('damaged', import.meta.filename),
  toFile('gone', join(folder, 'gone.gguf')),
];
const views = await keep(openRowViews({ listFiles: async () => files, limitMs: 400 }));

const fail = async (work: Promise<unknown>): Promise<Pick<ViewFailure, 'kind' | 'message'>> => {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ViewFailure);
  return error as ViewFailure;
};

it("a row is seen by the model's own template and tokens; counts agree, and a context cuts them", async () => {
  const seen = await views.view('base-alias', chat, null);
  expect(seen).toMatchObject({ model: 'base-alias', context: 512, model_context: 512, template: 'file', cut: 0 });
  expect(seen.spans.map(({ text, is_trained }) => [text, is_trained])).toEqual([
    ['<|im_start|>user\nWhere is it?<|im_end|>\n<|im_start|>assistant\n', false],
    ['On its way.<|im_end|>', true],
    ['\n', false],
  ]);
  expect(seen.tokens).toBe(seen.spans.flatMap(({ tokens }) => tokens).length);
  // Each mark is one token, and every stretch ends with a token.
  expect(seen.spans[0]?.tokens[0]).toBe('<|im_start|>'.length);
  for (const { text, tokens } of seen.spans) expect(tokens.at(-1)).toBe(text.length);

  const context = seen.tokens - 3;
  const cut = await views.view('base', chat, context);
  expect(cut).toMatchObject({ context, cut: 3, trained: seen.trained, trained_cut: 2 });
  expect(
    cut.spans
      .filter(({ is_cut }) => is_cut)
      .map(({ text }) => text)
      .join(''),
  ).toMatch(/<\|im_end\|>\n$/);

  const counted = await views.count('base', [chat, row(['user', 'Hello?'])], context);
  expect(counted.context).toBe(512);
  const { tokens, trained, trained_cut: trainedCut } = cut;
  expect(counted.rows[0]).toMatchObject({ tokens, trained, trainedCut, problem: null });
  expect(counted.rows[1]).toMatchObject({ trained: 0, problem: { kind: 'no-answer' } });
}, 30_000);

it('of a row for preferences all answers are counted, each as the chat that it ends', async () => {
  const say = (content: string) => [{ role: 'assistant', content }];
  const messages = [{ role: 'user', content: 'Where is it?' }];
  const answers = { chosen: say('On its way.'), rejected: say('No.') };
  const pair = JSON.stringify({ messages, ...answers });
  const label = JSON.stringify({ messages, completion: answers.rejected, label: false });
  const { rows } = await views.count(
    'base',
    [chat, row(['user', 'Where is it?'], ['assistant', 'No.']), pair, label],
    null,
  );
  const [good, bad, both, single] = rows;
  expect(both).toMatchObject({ tokens: good!.tokens, otherTokens: bad!.tokens, trainedCut: 0 });
  expect(both?.trained).toBe(good!.trained + bad!.trained);
  expect(single).toMatchObject({ tokens: bad!.tokens, otherTokens: 0, trained: bad!.trained, trainedCut: 0 });
  // The longer answer is cut before its first token, so the pair is left out.
  const cut = (await views.count('base', [pair], good!.tokens - good!.trained - 1)).rows[0];
  expect(cut?.trainedCut).toBe(cut?.trained);
}, 30_000);

it('a long row is counted whole, and its beginning is sent', async () => {
  const seen = await views.view('base', row(['user', 'word '.repeat(30_000)], ['assistant', 'Yes.']), null);
  const sent = seen.spans.reduce((sum, { text }) => sum + text.length, 0);
  expect([sent, seen.left_out > 50_000, seen.tokens > 30_000]).toEqual([100_000, true, true]);
  expect(seen.trained_cut).toBe(seen.trained);
}, 30_000);

it('a template that does not end is ended, and the next row is rendered all the same', async () => {
  const [endless, next] = await Promise.all([fail(views.view('endless', chat, null)), views.view('base', chat, null)]);
  expect([endless.kind, endless.message]).toEqual(['too-much', expect.stringContaining('longer than 0.4 s')]);
  expect(next.trained).toBeGreaterThan(0);
}, 60_000);

it('a file on which llama.cpp crashes is said, and not opened again until it changes', async () => {
  const [crash, next] = await Promise.all([
    fail(views.count('crashing', [chat], null)),
    views.view('base', chat, null),
  ]);
  expect(crash.kind).toBe('damaged');
  expect(crash.message).toMatch(
    /can't be read: llama\.cpp crashed on its file \(.+\), which is not opened again\. Export/,
  );
  expect(next.trained).toBeGreaterThan(0);
  const path = join(folder, 'tokenizer.ggml.model-5.gguf');
  await writeFile(path, await readFile(SAMPLE));
  expect((await views.view('crashing', chat, null)).trained).toBeGreaterThan(0);
}, 60_000);

it('a file on which llama.cpp crashed gives the same error again, without a process', async () => {
  const queue = openViewQueue();
  onTestFinished(() => queue.close());
  const file = { path: await writeChanged('tokenizer.ggml.model', 'none'), version: '1' };
  const look = (): Promise<unknown> => queue.ask('view', file, chat, null).catch((error: unknown) => error);
  const crash = await look();
  expect(crash).toBeInstanceOf(Error);
  expect(await look()).toBe(crash);
}, 60_000);

const CHATS = [[{ role: 'user', content: 'Where is it?' }]] as const;

it("a model's file is described with conversations by its template", async () => {
  expect(await views.describe({ id: 'base', path: SAMPLE }, CHATS)).toEqual({
    context: 512,
    type: 7,
    beginText: '',
    endText: '<|im_end|>',
    rendered: { texts: ['<|im_start|>user\nWhere is it?<|im_end|>\n<|im_start|>assistant\n'] },
  });
}, 30_000);

it('a template that refuses a conversation says why', async () => {
  const path = await writeChanged('tokenizer.chat_template', "{{ raise_exception('Only bears may ask') }}");
  const { rendered } = await views.describe({ id: 'refusing', path }, CHATS);
  expect(rendered).toEqual({ problem: 'Its chat template refuses a conversation: Only bears may ask.' });
}, 30_000);

it('a template that does not end costs its time once, and the rest of the description is there', async () => {
  const file = { id: 'endless', path: await writeChanged('tokenizer.chat_template', ENDLESS) };
  const [described, again] = await Promise.all([views.describe(file, CHATS), views.describe(file, CHATS)]);
  expect(described).toMatchObject({ context: 512, endText: '<|im_end|>' });
  expect(described.rendered).toEqual({
    problem: expect.stringMatching(/longer than 0\.4 s.*of the model\.$/) as string,
  });
  expect(again).toBe(described);
  expect(await views.describe(file, CHATS)).toBe(described);
}, 60_000);

it('what can not be read is said', async () => {
  expect(await fail(views.view('no-template', chat, null))).toMatchObject({ kind: 'damaged' });
  expect(await fail(views.view('damaged', chat, null))).toMatchObject({ kind: 'damaged' });
  expect(await fail(views.count('gone', [chat], null))).toMatchObject({ kind: 'no-file' });
  const unknown = await fail(views.view('gpt-9', chat, null));
  expect(unknown.message).toContain('--model gpt-9=FILE.gguf');
  expect([await views.knows('base-alias'), await views.knows('gpt-9')]).toEqual([true, false]);
}, 30_000);

it('says of a model whose mount hangs since when', async () => {
  const own = openRowViews({ listFiles: async () => [toFile('base', SAMPLE)], files: silentFiles });
  await expect(own.view('base', chat, null)).rejects.toThrow(SILENCE);
  await own.close();
});
