import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { chat, openDataService, rowsUrl } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openDataService());
const id = await desk.dataset([
  ...Array.from({ length: 400 }, (_, at) => chat(`Where is order ${at}?`, `It is on its way, ${at}.`)),
  chat('Where is order 7?', 'It is on its way, 7.'),
  chat('Where is order 8?', 'Lost.'),
  chat('Straße needle'),
]);
const owner: RowsOf = { kind: 'dataset', id };

type Body = Record<string, unknown> & { rows: { position: number }[] };
const get = async (path: string): Promise<Body> => (await desk.service.getJson(path)) as Body;
const positions = (body: Body): number[] => body.rows.map(({ position }) => position);
const post = (path: string, body: unknown) => desk.service.post(path, body);
const mark = (datasetId: string, body: unknown) => post(`/api/v1/studio/datasets/${datasetId}/marks`, body);
const made = async (path: string, body: unknown): Promise<Record<string, string>> =>
  (await post(path, body)).json() as Record<string, string>;
const makeSnapshot = async (dataset_id: string, more = {}): Promise<string> =>
  (await made('/api/v1/public/snapshots/create', { dataset_id, ...more }))['snapshot_id'] ?? '';

describe('rows', () => {
  it('come page by page', async () => {
    const first = await get(rowsUrl(owner, 'table', { limit: 3 }));
    expect([positions(first), first['next'], first['total'], first['found']]).toEqual([[0, 1, 2], 3, 403, 403]);
    expect(positions(await get(rowsUrl(owner, 'table', { from: 400, limit: 10 })))).toEqual([400, 401, 402]);
  });

  it.each([
    ['"order 399"', [399]],
    ['STRASSE needle', [402]],
    ['lost', [401]],
    ['nowhere', []],
  ])('are found by %s', async (search, found) => {
    const page = await get(rowsUrl(owner, 'table', { search }));
    expect([positions(page), page['next']]).toEqual([found, null]);
  });

  it('are not read when nobody waits for them', async () => {
    const filter = { search: 'order', finding: null, tag: null, side: null, mark: null, positions: null };
    const question = { from: 0, limit: 50, ...filter };
    await expect(desk.data.readRows(owner, question, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('are whole one by one', async () => {
    const whole = await get(rowsUrl(owner, 'table/401'));
    expect(whole).toMatchObject({ position: 401, before: null, original: null, side: null });
    expect((await desk.service.askSigned(rowsUrl(owner, 'table/403'))).status).toBe(404);
  });

  it.each([
    ['?from=x', 'from must be a whole number from 0 to 999999999.'],
    ['?from=2147483648', 'from must be a whole number from 0 to 999999999.'],
    ['?limit=-1', 'limit must be a whole number from 1 to 200.'],
    ['?limit=0', 'limit must be a whole number from 1 to 200.'],
    ['?limit=201', 'limit must be a whole number from 1 to 200.'],
    ['?other=1', 'The query must not have other.'],
    ['?positions=1,x', 'positions must be at most 200 places of rows, with commas between them.'],
    ['?side=both', 'side must be "training" or "validation".'],
  ])('are not asked for with %s', async (query, message) => {
    const answer = await desk.service.askSigned(rowsUrl(owner, 'table') + query);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { message } }]);
  });
});

describe('rows that filters leave', () => {
  const lines = async (filter: object, form: 'chat' | 'original' = 'chat', of: RowsOf = owner): Promise<string[]> =>
    (await desk.service.askSigned(rowsUrl(of, 'filtered-rows', { ...filter, form }))).text
      .split('\n')
      .filter((line) => line !== '');

  it('are downloaded, all of them, page by page', async () => {
    const all = await lines({});
    expect([all.length, JSON.parse(all[402] ?? '')]).toMatchObject([
      403,
      { messages: [{ content: 'Straße needle' }, {}] },
    ]);
    expect(await lines({ search: '"order 399"' })).toEqual([chat('Where is order 399?', 'It is on its way, 399.')]);
    expect((await lines({ search: 'order' })).length).toBe(402);
    expect(await lines({ search: 'nowhere' })).toEqual([]);
  });

  it('have a file name that says what is in it', async () => {
    const answer = await desk.service.askSigned(
      rowsUrl(owner, 'filtered-rows', { search: 'order 8', tag: 'odd', form: 'chat' }),
    );
    expect(answer.headers['content-disposition']).toBe('attachment; filename="tickets.tag-odd.with-order-8.jsonl"');
  });

  it('count as they were edited; their original lines stay', async () => {
    const own = { kind: 'dataset', id: await desk.dataset([chat('A?')]) } as const;
    const row = JSON.parse(chat('Edited?')) as object;
    await mark(own.id, { change: 'edit', position: 0, row });
    expect(await lines({ mark: 'edited' }, 'chat', own)).toEqual([chat('Edited?')]);
    expect(await lines({ mark: 'edited' }, 'original', own)).toEqual([chat('A?')]);
    const snapshot = await makeSnapshot(own.id, { split_percentage: 100 });
    expect(await lines({ side: 'training' }, 'chat', { kind: 'snapshot', id: snapshot })).toEqual([chat('Edited?')]);
  });

  it.each(['?form=csv', '?from=3', '?side=both'])('are not asked for with %s', async (query) => {
    expect((await desk.service.askSigned(rowsUrl(owner, 'filtered-rows', { form: 'chat' }) + query)).status).toBe(400);
  });

  it('are not there for a dataset that is not', async () => {
    const path = `/api/v1/studio/datasets/${UNKNOWN_ID}/filtered-rows?form=chat`;
    expect((await desk.service.askSigned(path)).status).toBe(404);
  });
});

describe('what a model sees', () => {
  it('is a row as the base model renders it, with what a context cuts', async () => {
    const seen = await get(rowsUrl(owner, 'table/7/view', { model: 'support-base' }));
    expect(seen).toMatchObject({ model: 'support-base', context: 512, cut: 0, problem: null });
    const spans = seen['spans'] as { text: string; is_trained: boolean }[];
    expect(spans.find(({ is_trained }) => is_trained)?.text).toBe('It is on its way, 7.<|im_end|>');
    expect(await get(rowsUrl(owner, 'table/7/view', { model: 'support-base', context: 9 }))).toMatchObject({
      context: 9,
      tokens: seen['tokens'],
    });
  }, 60_000);

  it.each([
    [`/api/v1/studio/datasets/${UNKNOWN_ID}/table/0/view?model=support-base`, 404, 'datasetId'],
    ['/403?model=support-base', 404, 'position'],
    ['/7?model=gpt-9', 404, 'model'],
    ['/7?model=support-base&context=0', 400, 'context'],
    ['/7', 400, 'model'],
  ])('%s is %i %s', async (path, status, param) => {
    const [position = '', query = ''] = path.split('?');
    const own = `${rowsUrl(owner, 'table/0').slice(0, -2)}${position}/view${query && `?${query}`}`;
    const answer = await desk.service.askSigned(path.startsWith('/api') ? path : own);
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { param } }]);
  });

  it('is nothing where no row has an answer: such a snapshot is not trained', async () => {
    const question = (at: number): string => JSON.stringify({ messages: [{ role: 'user', content: `Who ${at}?` }] });
    const silent = await makeSnapshot(await desk.dataset(Array.from({ length: 60 }, (_, at) => question(at))));
    const reason = await desk.data.findNothingTrained(silent, 'support-base');
    expect(reason).toMatch(/^Nothing would be trained\. In all \d+ rows there is no assistant message/);
    expect(await desk.data.findNothingTrained(silent, 'gpt-9')).toBeNull();
    // One answer among many questions is enough.
    const lines = [...Array.from({ length: 60 }, (_, at) => question(at)), chat('Last?')];
    const spoken = await makeSnapshot(await desk.dataset(lines), { split_percentage: 100 });
    expect(await desk.data.findNothingTrained(spoken, 'base')).toBeNull();
  });
});

describe('findings and statistics', () => {
  it('are worked out in the background, and filter the rows', async () => {
    await expect.poll(async () => (await get(rowsUrl(owner, 'findings')))['state'], { timeout: 20_000 }).toBe('done');
    const { findings } = await get(rowsUrl(owner, 'findings'));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'duplicate', count: 1, removable: [400] }));
    const page = await get(rowsUrl(owner, 'table', { finding: 'duplicate' }));
    expect(page.rows).toMatchObject([{ position: 400, other: 7 }]);
    expect(positions(await get(rowsUrl(owner, 'table', { search: 'finding:duplicate' })))).toEqual([400]);
    expect(positions(await get(rowsUrl(owner, 'table', { search: '"order 8?" finding:duplicate' })))).toEqual([]);
    expect(positions(await get(rowsUrl(owner, 'table', { search: '-finding:duplicate', from: 399 })))).toEqual([
      399, 401, 402,
    ]);
    expect((await get(rowsUrl(owner, 'table/400')))['findings']).toContainEqual(
      expect.objectContaining({ kind: 'duplicate', others: [7] }),
    );
    const contradiction = await get(rowsUrl(owner, 'table', { finding: 'contradiction' }));
    expect(contradiction.rows).toMatchObject([
      { position: 8, other: 401 },
      { position: 401, other: 8 },
    ]);
    expect((await get(rowsUrl(owner, 'table/8')))['findings']).toContainEqual(
      expect.objectContaining({ kind: 'contradiction', others: [401] }),
    );
    expect(await get(rowsUrl(owner, 'statistics'))).toMatchObject({ state: 'done', rows: 403, set_aside_count: 0 });
  });

  it('count the tokens of a model that is named; what a context cuts is a finding', async () => {
    const ask = () => get(rowsUrl(owner, 'statistics', { model: 'support-base', context: 20 }));
    await expect.poll(async () => (await ask())['state'], { timeout: 60_000 }).toBe('done');
    const { tokens } = (await ask()) as { tokens?: Record<string, number> };
    expect(tokens).toMatchObject({ model: 'support-base', context: 20, rows: 403, error: null, untrained_rows: 0 });
    expect(tokens?.['cut_rows']).toBeGreaterThan(300);
    // Without a model, those that were counted are answered.
    expect(await get(rowsUrl(owner, 'statistics'))).toMatchObject({ tokens: { context: 512, cut_rows: 0 } });
    const [row] = (await get(rowsUrl(owner, 'table', { limit: 1 })))['rows'] as unknown as { tokens: number }[];
    expect(row?.tokens).toBe((await get(rowsUrl(owner, 'table/0/view', { model: 'support-base' })))['tokens']);
    expect(positions(await get(rowsUrl(owner, 'table', { finding: 'too-long' })))).toEqual([]);
  }, 90_000);

  it('stay until those after a change are known; rows that did not change keep their tokens', async () => {
    const own = { kind: 'dataset', id: await desk.dataset([chat('One?'), chat('Two?'), chat('Two?')]) } as const;
    const ask = () => get(rowsUrl(own, 'statistics', { model: 'support-base' }));
    const isDone = () => expect.poll(async () => (await ask())['state'], { timeout: 60_000 }).toBe('done');
    const tokensOf = async () =>
      (await get(rowsUrl(own, 'table', { search: 'yes' }))).rows.map((row) => 'tokens' in row && row.tokens !== null);
    await isDone();
    await mark(own.id, { change: 'tag', positions: [0], tag: 'odd', is_tagged: true });
    expect(await ask()).toMatchObject({ state: 'done', is_old: false, tags: [{ name: 'odd', count: 1 }] });
    const row = JSON.parse(chat('Edited?')) as object;
    await mark(own.id, { change: 'edit', position: 0, row });
    await mark(own.id, { change: 'set_aside', positions: [2], is_set_aside: true });
    const [statistics, findings] = await Promise.all([ask(), get(rowsUrl(own, 'findings', { model: 'support-base' }))]);
    // What was known before, unless the changed rows are analysed by now.
    const before = { state: 'running', is_old: true };
    const after = { state: 'done', is_old: false };
    expect(statistics).toMatchObject(
      statistics['state'] === 'done' ? after : { ...before, rows: 3, tokens: { rows: 3 } },
    );
    expect(findings).toMatchObject(
      findings['state'] === 'done' ? after : { ...before, findings: [{ kind: 'duplicate' }] },
    );
    expect((await tokensOf()).slice(1)).toEqual([true, true]);
    await isDone();
    expect(await ask()).toMatchObject({ is_old: false, rows: 2, tokens: { rows: 2 } });
    expect(await tokensOf()).toEqual([true, true, true]);
  }, 90_000);

  it('of a search are asked for before they are searched for', async () => {
    const other = await desk.dataset([chat('Alone')]);
    const answer = await desk.service.askSigned(
      rowsUrl({ kind: 'dataset', id: other }, 'table', { search: 'finding:leak' }),
    );
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('"param":"search"')]);
  });

  it('are not there for a dataset that is not', async () => {
    expect((await desk.service.askSigned(`/api/v1/studio/datasets/${UNKNOWN_ID}/findings`)).status).toBe(404);
  });
});

describe('marks', () => {
  const toRow = (content: string) => ({ messages: ['user', 'assistant'].map((role) => ({ role, content })) });

  it('set rows aside, and undo gives them back', async () => {
    const body = { change: 'set_aside', positions: [400, 401], is_set_aside: true };
    const answer = (await mark(id, body)).json() as { changed: number; undo: unknown };
    expect(answer.changed).toBe(2);
    expect(positions(await get(rowsUrl(owner, 'table', { mark: 'set_aside' })))).toEqual([400, 401]);
    expect(await get(`/api/v1/studio/datasets/${id}/split?percentage=80`)).toMatchObject({ left_out_count: 2 });
    expect((await mark(id, answer.undo)).json()).toMatchObject({ changed: 2 });
    expect(positions(await get(rowsUrl(owner, 'table', { mark: 'set_aside' })))).toEqual([]);
  });

  it('tag rows', async () => {
    await mark(id, { change: 'tag', positions: [5, 9], tag: 'odd', is_tagged: true });
    expect(positions(await get(rowsUrl(owner, 'table', { tag: 'odd' })))).toEqual([5, 9]);
  });

  it('edit a row, which keeps its original, and is found as it is now', async () => {
    const row = toRow('Edited question');
    const answer = (await mark(id, { change: 'edit', position: 3, row })).json() as { undo: unknown };
    expect(await get(rowsUrl(owner, 'table/3'))).toMatchObject({
      row,
      before: { messages: [{ content: 'Where is order 3?' }, {}] },
    });
    expect(positions(await get(rowsUrl(owner, 'table', { search: 'edited' })))).toEqual([3]);
    await mark(id, answer.undo);
    expect(positions(await get(rowsUrl(owner, 'table', { search: 'edited' })))).toEqual([]);
  });

  describe('undone after another person has changed the row', () => {
    const edit = (text: string) => ({ change: 'edit', position: 20, row: toRow(text) });
    const tag = (name: string) => ({ change: 'tag', positions: [20], tag: name, is_tagged: true });
    const change = async (body: unknown) =>
      (await mark(id, body)).json() as { changed: number; kept: number; undo: unknown };
    const read = () => get(rowsUrl(owner, 'table/20'));
    beforeEach(() =>
      change({ change: 'restore', rows: [{ position: 20, is_set_aside: false, tags: [], edited: null }] }),
    );

    it('leave an edit of another', async () => {
      const aside = await change({ change: 'set_aside', positions: [20], is_set_aside: true });
      await change(edit('Of another'));
      expect(await change(aside.undo)).toMatchObject({ changed: 1, kept: 0 });
      expect(await read()).toMatchObject({ is_set_aside: false, row: edit('Of another').row });
    });

    it('leave an edit of the same row, and say so', async () => {
      const mine = await change(edit('Mine'));
      await change(edit('Of another'));
      expect(await change(mine.undo)).toMatchObject({ changed: 0, kept: 1 });
      expect(await read()).toMatchObject({ row: edit('Of another').row });
    });

    it('leave the tags of others', async () => {
      const mine = await change(tag('mine'));
      await change(tag('theirs'));
      expect(await change(mine.undo)).toMatchObject({ changed: 1, kept: 0 });
      expect(await read()).toMatchObject({ tags: ['theirs'] });
    });

    it('can be taken back themselves', async () => {
      const mine = await change(edit('Mine'));
      const undone = await change(mine.undo);
      await change(undone.undo);
      expect(await read()).toMatchObject({ row: edit('Mine').row });
    });
  });

  it('are at most 20 tags: one more is refused, and none is dropped', async () => {
    const add = (at: number) => mark(id, { change: 'tag', positions: [30], tag: `tag ${at}`, is_tagged: true });
    for (let at = 0; at < 20; at += 1) await add(at);
    const refused = await add(20);
    expect([refused.status, refused.json()]).toMatchObject([409, { error: { code: 'too_many_tags' } }]);
    expect((await get(rowsUrl(owner, 'table/30')))['tags']).toHaveLength(20);
  });

  it.each([
    [{ change: 'set_aside', positions: [403], is_set_aside: true }, 'positions'],
    [{ change: 'edit', position: 1, row: { messages: [] } }, 'row'],
  ])('are not %j', async (body, param) => {
    const answer = await mark(id, body);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param } }]);
  });
});

describe('snapshots', () => {
  it('freeze the split that was seen before, with duplicates on one side', async () => {
    const split = await get(`/api/v1/studio/datasets/${id}/split?percentage=70`);
    const snapshot = await makeSnapshot(id, { split_percentage: 70 });
    const side = { kind: 'snapshot', id: snapshot } as const;
    const training = await get(rowsUrl(side, 'table', { side: 'training', limit: 200 }));
    expect(training['total']).toBe(403);
    const [a, b] = await Promise.all([get(rowsUrl(side, 'table/7')), get(rowsUrl(side, 'table/400'))]);
    expect(a['side']).toBe(b['side']);
    expect(Number(split['training_count']) + Number(split['validation_count'])).toBe(403);
    expect(await get(`/api/v1/studio/snapshots/${snapshot}/compare?with=${snapshot}`)).toMatchObject({
      same_count: 403,
      added: { count: 0 },
    });
  });

  it('keep sides when rows are added, and say what was', async () => {
    const own = await desk.dataset(Array.from({ length: 20 }, (_, at) => chat(`Stable ${at}?`)));
    const before = await makeSnapshot(own);
    const messages = [
      { role: 'user', content: 'New?' },
      { role: 'assistant', content: 'Yes.' },
    ];
    const added = await post(`/api/v1/datasets/${own}/addDatapoint`, {
      messages,
      bucket: 'validation',
    });
    expect(added.json()).toMatchObject({ message: 'Added as row 21.' });
    const after = await makeSnapshot(own);
    const added20 = { count: 1, positions: [20] };
    const same = { same_count: 20, added: added20, gone: { count: 0 }, moved: { count: 0 } };
    expect(await get(`/api/v1/studio/snapshots/${after}/compare?with=${before}`)).toMatchObject(same);
    expect(await get(`/api/v1/studio/snapshots/${after}/table/20`)).toMatchObject({ side: 'validation' });
  });

  it('say what their share has to be', async () => {
    const wrong = await made('/api/v1/public/snapshots/create', { dataset_id: id, split_percentage: 70.5 });
    expect(wrong).toMatchObject({ error: { message: 'split_percentage must be a whole number.' } });
  });

  it('need a training row', async () => {
    const own = await desk.dataset([chat('Only?')]);
    await mark(own, { change: 'set_aside', positions: [0], is_set_aside: true });
    const answer = await post('/api/v1/public/snapshots/create', { dataset_id: own });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'no_training_rows' } }]);
    const missing = await post('/api/v1/public/snapshots/create', { dataset_id: UNKNOWN_ID });
    expect([missing.status, missing.json()]).toMatchObject([404, { error: { param: 'dataset_id' } }]);
  });
});

describe('deletion', () => {
  it('hides a dataset at once, and gives it back for a day', async () => {
    const own = await desk.dataset([chat('Bye?')]);
    const node = { method: 'DELETE' };
    expect((await desk.service.askSigned(`/api/v1/studio/nodes/${own}`, node)).status).toBe(204);
    expect((await desk.service.askSigned(`/api/v1/studio/datasets/${own}/table`)).status).toBe(404);
    expect(await get('/api/v1/studio/deleted')).toMatchObject({ deleted: [{ id: own, type: 'dataset' }] });
    expect((await desk.service.askSigned(`/api/v1/studio/nodes/${own}`, node)).status).toBe(404);
    expect((await post(`/api/v1/studio/nodes/${own}/restore`, {})).status).toBe(204);
    expect(await get(`/api/v1/studio/datasets/${own}/table`)).toMatchObject({ total: 1 });
  });
});

it('says for the log of changes which node was made', async () => {
  desk.service.changes.length = 0;
  const { project_id } = await made('/api/v1/public/projects/create', { name: 'Logged' });
  const own = await desk.dataset(Array.from({ length: 12 }, (_, at) => chat(`Logged ${at}?`)));
  const snapshot = await makeSnapshot(own);
  await desk.service.askSigned(`/api/v1/studio/nodes/${snapshot}`, { method: 'DELETE' });
  const recorded = desk.service.changes.map(({ method, nodeId }) => [method, nodeId]);
  expect(recorded).toEqual([...[project_id, own, snapshot].map((node) => ['POST', node]), ['DELETE', undefined]]);
});
