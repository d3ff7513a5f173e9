import { expect, it } from 'vitest';
import { connect } from '#ui/client/server.fixture.ts';
import { NO_FILTER } from './traceFilter.ts';
import { makeTraceEvaluation, toFilterWords, toLeftWords, toTraceRow } from './traceEvaluation.ts';

/** A studio with traces by their ids: what was asked; undefined: deleted. */
async function serve(traces: Readonly<Record<string, string | undefined>>, onTrace = (): void => undefined) {
  const sent: { rows: { messages: { content: string }[] }[] }[] = [];
  const connection = await connect(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const id = /traces\/(\w+)$/.exec(request.url ?? '')?.[1];
    if (id !== undefined) onTrace();
    if (request.method === 'POST') sent.push(JSON.parse(text) as (typeof sent)[number]);
    const input = id === undefined ? undefined : traces[id];
    const results = Object.entries(traces).map(([key, asked]) => ({
      id: key,
      input: asked ?? '',
      output: '',
      modelId: 'tuned',
      score: null,
    }));
    const isGone = id !== undefined && input === undefined;
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'application/json' });
    const answer = id === undefined ? { results, next: null, id: 'e1' } : { output: 'Wait.', messages: null };
    response.end(JSON.stringify(isGone ? { error: { message: 'gone' } } : answer));
  });
  const make = (signal = new AbortController().signal) =>
    makeTraceEvaluation('p', 'Traces', NO_FILTER, { onRead: () => undefined, signal, connection, mostBytes: 1_000 });
  return { sent, make };
}

it('leaves out what was deleted meanwhile, and what a request has no room for', async () => {
  const { sent, make } = await serve({ a: 'one', b: undefined, c: 'x'.repeat(1_000), d: 'four' });
  const { id, left } = await make();
  expect([id, left]).toEqual(['e1', { missing: 1, large: 2 }]);
  expect(sent.map(({ rows }) => rows.map(({ messages }) => messages[0]?.content))).toEqual([['one']]);
  expect(toLeftWords(left)).toBe(
    'Traces left out of the evaluation: 1 deleted meanwhile, 2 beyond the 30 MiB that fit.',
  );
  expect(toLeftWords({ missing: 0, large: 0 })).toBeNull();
  const none = await serve({ b: undefined });
  await expect(none.make()).rejects.toThrow('1 deleted meanwhile. So there are no rows.');
});

it('makes nothing after it was stopped', async () => {
  const stop = new AbortController();
  const { sent, make } = await serve({ a: 'one' }, () => stop.abort());
  await expect(make(stop.signal)).rejects.toMatchObject({ kind: 'aborted' });
  expect(sent).toEqual([]);
});

const trace = { input: 'And now?', output: 'Wait.', modelId: 'tuned', score: 0.8, messages: null };
const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'And now?', name: 'ada' },
];

it('asks what was asked, expects a good output, and tags by model and score', () => {
  expect(toTraceRow({ ...trace, messages: chat })).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'And now?' },
    ],
    expected: 'Wait.',
    tags: { model: 'tuned', score: 'good' },
  });
  expect(toTraceRow({ ...trace, score: 0.2 })).toMatchObject({ expected: null, tags: { score: 'weak' } });
  expect(toTraceRow({ ...trace, score: null })).toMatchObject({ expected: null, tags: { score: 'none' } });
});

it.each([
  [[...chat, { role: 'assistant', content: 'Wait.' }]],
  [[{ role: 'user', content: [{ type: 'image_url' }] }]],
  [[{ role: 'tool', content: '3', tool_call_id: 'a' }]],
  ['no list'],
])('asks the input alone of a conversation like %j', (messages) =>
  expect(toTraceRow({ ...trace, messages }).messages).toEqual([{ role: 'user', content: 'And now?' }]),
);

it('says which traces they are', () => {
  expect(toFilterWords(NO_FILTER)).toBe('');
  expect(toFilterWords({ ...NO_FILTER, band: 'weak', model: 'tuned', search: 'refund' })).toBe(
    'weak: below 0.8, of tuned, with “refund”',
  );
});
