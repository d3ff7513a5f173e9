// Rows for DPO and KTO, marks of what is learnt, and the forms of trainers, over HTTP.
import { describe, expect, it } from 'vitest';
import type { FilteredForm } from '#features/datasets/shared/contract/filteredFile.ts';
import { fitListSchema } from '#features/datasets/shared/contract/rows.ts';
import { chat, openDataService, rowsUrl } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openDataService());

const get = async (path: string): Promise<Record<string, unknown>> => {
  const answer = await desk.service.askSigned(path);
  expect(answer.status).toBe(200);
  return answer.json() as Record<string, unknown>;
};
const of = (id: string) => ({ kind: 'dataset', id }) as const;
const linesOf = async (id: string, form: FilteredForm): Promise<unknown[]> =>
  (await desk.service.askSigned(rowsUrl(of(id), 'filtered-rows', { form: form }))).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
const post = (path: string, body: object) => desk.service.post(path, body);
const makeSnapshot = async (dataset_id: string): Promise<string> => {
  const answer = await post('/api/v1/public/snapshots/create', { dataset_id, split_percentage: 100 });
  return (answer.json() as { snapshot_id: string }).snapshot_id;
};

const user = { role: 'user', content: 'Hi' };
const good = { role: 'assistant', content: 'Hello' };
const pairs = Array.from({ length: 12 }, (_, at) =>
  JSON.stringify({ prompt: `Hi ${at}`, chosen: 'Hello', rejected: 'No' }),
);

describe('rows for DPO', () => {
  it('are kept, shown and exported, and train nothing here', async () => {
    const id = await desk.dataset(pairs);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      form: 'preference',
      datapoints_count: 12,
    });
    const row = { messages: [{ ...user, content: 'Hi 0' }], chosen: [good], rejected: [{ ...good, content: 'No' }] };
    expect(await get(rowsUrl(of(id), 'table/0'))).toMatchObject({ row });
    expect(await get(rowsUrl(of(id), 'table/0/view', { model: 'support-base' }))).toMatchObject({
      problem: { kind: 'comparison' },
    });
    expect((await linesOf(id, 'trl'))[0]).toEqual({ prompt: row.messages, chosen: row.chosen, rejected: row.rejected });
    const snapshot = await makeSnapshot(id);
    expect(await desk.data.findNothingTrained(snapshot, 'support-base')).toMatch(
      /^Nothing would be trained\. In all 12 rows there is a pair of answers for DPO/,
    );
  });

  it('are imported as chats with the preferred answer for who asks for it', async () => {
    const id = await desk.dataset(pairs, [{ name: 'form', value: 'preferred' }]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({ form: 'preferred' });
    expect((await linesOf(id, 'chat'))[1]).toEqual({ messages: [{ ...user, content: 'Hi 1' }, good] });
    expect(await desk.data.findNothingTrained(await makeSnapshot(id), 'support-base')).toBeNull();
  });
});

describe('answers that may not be learnt', () => {
  const marked = JSON.stringify({ messages: [user, { ...good, weight: 0 }, user, { ...good, train: true }] });

  it('are plain in what a model sees, and named by a finding', async () => {
    const id = await desk.dataset([marked, chat('Hello?')]);
    const { spans } = await get(rowsUrl(of(id), 'table/0/view', { model: 'support-base' }));
    expect(
      (spans as { is_trained: boolean; message: number | null }[]).filter((span) => span.is_trained),
    ).toMatchObject([{ message: 3 }]);
    await expect.poll(async () => (await get(rowsUrl(of(id), 'findings')))['state'], { timeout: 20_000 }).toBe('done');
    expect((await get(rowsUrl(of(id), 'findings')))['findings']).toContainEqual(
      expect.objectContaining({ kind: 'masked-answer', count: 1 }),
    );
  });

  it('are added one by one, and a share of a weight is refused', async () => {
    const id = await desk.dataset([chat('Hello?')]);
    const add = (weight: number) =>
      post(`/api/v1/datasets/${id}/addDatapoint`, { messages: [user, { ...good, weight }] });
    expect((await add(0)).status).toBe(200);
    expect((await linesOf(id, 'chat'))[1]).toEqual({ messages: [user, { ...good, weight: 0 }] });
    const refused = await add(0.5);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('An answer is learnt whole or not at all'),
    ]);
  });
});

describe('nulls that a table put into calls', () => {
  it('are found, cleaned by one change, and taken back by another', async () => {
    const call = (given: object) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(given) } }],
    });
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'integer' } } } } },
    ];
    const toLine = (given: object): string => JSON.stringify({ messages: [user, call(given)], tools });
    const id = await desk.dataset([toLine({ a: 1, b: null }), toLine({ a: 2 }), toLine({ a: null })]);
    await expect.poll(async () => (await get(rowsUrl(of(id), 'findings')))['state'], { timeout: 20_000 }).toBe('done');
    const { findings } = await get(rowsUrl(of(id), 'findings'));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'null-arguments', count: 2 }));
    const answer = await post(`/api/v1/studio/datasets/${id}/marks`, {
      change: 'clean_nulls',
      positions: [2, 0, 1],
    });
    const made = answer.json() as { changed: number; undo: object };
    expect(made.changed).toBe(2);
    const clean = [toLine({ a: 1 }), toLine({ a: 2 }), toLine({})].map((line) => JSON.parse(line) as unknown);
    expect(await linesOf(id, 'chat')).toEqual(clean);
    expect((await post(`/api/v1/studio/datasets/${id}/marks`, made.undo)).json()).toMatchObject({
      changed: 2,
    });
    expect((await linesOf(id, 'chat'))[0]).toEqual(JSON.parse(toLine({ a: 1, b: null })));
  });
});

describe('the forms of trainers', () => {
  it('are told apart by what they take, and a file that would lack rows is refused', async () => {
    const open = JSON.stringify({ messages: [user, good, user] });
    const id = await desk.dataset([chat('Hello?'), open]);
    const list = fitListSchema.parse(await get(rowsUrl(of(id), 'fits')));
    expect(list.rows).toBe(2);
    expect(list.fits.find(({ form }) => form === 'together')).toMatchObject({ misfits: 0, first: null });
    expect(list.fits.find(({ form }) => form === 'mistral')).toEqual({
      form: 'mistral',
      name: 'Mistral',
      misfits: 1,
      first: { position: 1, reason: 'Mistral: its last message must be of the assistant.' },
    });
    const answer = await desk.service.askSigned(rowsUrl(of(id), 'filtered-rows', { form: 'mistral' }));
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      { error: { code: 'rows_do_not_fit', message: expect.stringContaining('first row 2.') as string } },
    ]);
    const named = await desk.service.askSigned(rowsUrl(of(id), 'filtered-rows', { form: 'together' }));
    expect(named.headers['content-disposition']).toContain('tickets.together.jsonl');
  });
});
