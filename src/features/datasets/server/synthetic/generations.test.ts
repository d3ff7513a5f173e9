// POST .../datasets/create-synthetic with a teacher in memory.
import { afterEach, describe, expect, it } from 'vitest';
import { isObject } from '#core/contract/readJson.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { EngineError } from '#engine/engine.ts';
import { UNKNOWN_ID, type Answer } from '#service/http/testService.fixture.ts';
import { expectNothingLeft, openDataService, type Part } from '#features/datasets/server/routes/dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

let models: string[] = ['teacher'];
const asked: ChatRequest[] = [];
let turn = 0;
/** Five new pairs each time, as they are asked for. */
const inTurn = async (): Promise<string> => {
  turn += 1;
  const pairs = Array.from({ length: 5 }, (_, at) => ({ question: `Q${turn}.${at}?`, answer: `A${turn}.${at}` }));
  return `Here:\n${JSON.stringify({ pairs })}`;
};
let answer: (signal: AbortSignal) => Promise<string> = inTurn;

const desk = await keep(
  openDataService(undefined, undefined, {
    find: async (name) => models.find((model) => name === null || model === name) ?? null,
    ask: async (request, signal) => {
      asked.push(request);
      return answer(signal);
    },
  }),
);
afterEach(() => {
  models = ['teacher'];
  answer = inTurn;
});

const text = (value: string | Buffer, fileName = 'guide.md'): Part => ({ name: 'files[]', value, fileName });
const GUIDE = text('Returns take 14 days.\n\nShipping is free.');
const send = async (fields: Readonly<Record<string, string>>, more: readonly Part[] = [GUIDE]): Promise<Answer> => {
  const all = { project_id: await desk.projectId(), name: 'Made', pairs_to_generate: '12', ...fields };
  const parts = Object.entries(all).map(([name, value]) => ({ name, value }));
  return desk.upload([...parts, ...more], { path: '/api/v1/public/datasets/create-synthetic' });
};
const idOf = (sent: Answer): string => {
  expect([sent.status, sent.text]).toEqual([200, sent.text]);
  return (sent.json() as { dataset_id: string }).dataset_id;
};
const find = (id: string) => desk.service.getJson(`/api/v1/public/datasets/${id}`);
const ended = async (id: string): Promise<Record<string, unknown>> => {
  await expect.poll(async () => (await find(id))['status']).not.toBe('processing');
  return find(id);
};

describe('a teacher', () => {
  it('writes as many rows as were asked for, by rules, examples and forms, from each passage in turn', async () => {
    asked.length = 0;
    const lists = [
      { name: 'rules[]', value: 'Be short.' },
      { name: 'rules[]', value: 'Name the day.' },
      { name: 'example_questions', value: 'When?' },
      { name: 'example_answers[]', value: 'On Monday.' },
      { name: 'pair_type', value: 'qa' },
    ];
    const fields = { temperature: '0', question_format: 'A question of a customer', answer_format: 'One sentence' };
    const id = idOf(await send(fields, [...lists, GUIDE, text('Second guide.', 'b.txt')]));
    expect(await ended(id)).toMatchObject({ status: 'completed', datapoints_count: 12, form: 'chat', error: null });
    const prompts = asked.map(({ messages }) => messages.map(({ content }) => String(content)).join('\n'));
    for (const said of ['- Be short.', '- Name the day.', 'Q: When?\nA: On Monday.', 'A question of a customer'])
      expect(prompts[0]).toContain(said);
    expect(prompts[0]).toContain('Returns take 14 days.');
    expect(prompts[1]).toContain('Second guide.');
    expect(prompts[1]).toContain('- Q');
    expect(asked[0]).toMatchObject({ model: 'teacher', temperature: 0, response_format: { type: 'json_schema' } });
    const row = await desk.service.getJson(`/api/v1/studio/datasets/${id}/table/11`);
    expect(row['row']).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }] });
  });

  it('that repeats itself ends with what there is', async () => {
    answer = async () => '{"pairs":[{"question":"Same?","answer":"Yes."},{"question":" ","answer":"No."}]}';
    expect(await ended(idOf(await send({})))).toMatchObject({ status: 'completed', datapoints_count: 1 });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['fails', () => Promise.reject(new EngineError('The engine is away.', 503, 'away')), /The engine is away\./],
    ['writes no JSON', async () => 'Sure!', /no questions and answers/],
  ])('that %s leaves a failed dataset that says why', async (_what, reply, reason) => {
    answer = reply;
    const dataset = await ended(idOf(await send({})));
    expect(dataset).toMatchObject({
      status: 'failed',
      datapoints_count: 0,
      error: expect.stringMatching(reason) as string,
    });
  });

  it('is the model that is named', async () => {
    models = ['first', 'org/second'];
    await ended(idOf(await send({ model: 'org/second', pairs_to_generate: '1' })));
    expect(asked.at(-1)?.model).toBe('org/second');
  });
});

describe('generated rows', () => {
  it.each([
    ['DELETE', (id: string) => `/api/v1/studio/nodes/${id}`],
    ['POST', (id: string) => `/api/v1/studio/datasets/${id}/cancel`],
  ])('show their progress, and nothing of them stays when somebody cancels them by %s', async (method, toUrl) => {
    let replies = 0;
    answer = (signal) => {
      replies += 1;
      if (replies < 3) return inTurn();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const id = idOf(await send({ pairs_to_generate: '1000' }));
    await expect.poll(() => replies).toBe(3);
    expect(await find(id)).toMatchObject({ status: 'processing', project_id: await desk.projectId() });
    expect((await desk.service.askSigned(toUrl(id), { method })).status).toBe(204);
    expect((await desk.service.askSigned(`/api/v1/public/datasets/${id}`)).status).toBe(404);
    await expectNothingLeft(desk);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly Part[], number, string | null]>([
    ['without a teacher', {}, [GUIDE], 501, null],
    ['by a model that is not there', { model: 'gone' }, [GUIDE], 404, 'model'],
    ['of a PDF', {}, [text('%PDF-1.7', 'a.pdf')], 501, 'files'],
    ['of bytes that are no text', {}, [text(Buffer.from([0xff, 0xfe, 0x00]))], 400, 'files'],
    ['of a video', {}, [{ name: 'youtube_urls[]', value: 'https://youtu.be/x' }], 501, 'youtube_urls'],
    ['of a web site', {}, [{ name: 'website_urls[]', value: 'https://a.example' }], 501, 'website_urls'],
    ['for a project that is not there', { project_id: UNKNOWN_ID }, [GUIDE], 404, 'project_id'],
    ['of no number', { pairs_to_generate: '0' }, [GUIDE], 400, 'pairs_to_generate'],
    ['with a temperature above 1', { temperature: '1.5' }, [GUIDE], 400, 'temperature'],
    ['without a name', { name: '' }, [GUIDE], 400, 'name'],
    ['with two names', {}, [{ name: 'name', value: 'Other' }], 400, 'name'],
    ['of files that are no parts with a file', {}, [{ name: 'files[]', value: 'text' }], 400, 'files'],
    ['of a file in another part', {}, [{ ...GUIDE, name: 'upload' }], 400, 'files'],
    ['with an answer without its question', {}, [{ name: 'example_answers', value: 'Yes' }], 400, 'example_answers'],
  ])('are refused %s, which no client sends again', async (_what, fields, parts, status, param) => {
    if (status === 501 && param === null) models = [];
    const sent = await send(fields, parts);
    expect([sent.status, sent.json()]).toMatchObject([status, { error: { param } }]);
    // Else the hosted studio's SDK sends the files twice more.
    if (status === 501) expect(sent.headers['x-should-retry']).toBe('false');
    expect(isObject(sent.json())).toBe(true);
    await expectNothingLeft(desk);
  });

  it('are refused as JSON', async () => {
    expect((await desk.service.post('/api/v1/public/datasets/create-synthetic', {})).status).toBe(415);
  });
});
