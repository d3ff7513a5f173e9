import { beforeEach, describe, expect, it } from 'vitest';
import {
  NO_SETTINGS,
  traceListSchema,
  traceSchema,
  wholeTraceSchema,
  type TraceList,
} from '#features/traces/shared/traces.ts';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { openTraceService } from './traceService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openTraceService());
beforeEach(() => desk.database.executeSql('delete from studio.traces; delete from studio.trace_groups'));

const TRACES = '/api/v1/traces';
const OTHER_ID = '00000000-0000-4000-8000-00000000000f';
const TRACE = { modelId: 'm', input: 'Hello?', output: 'Hi.', score: 0.5 };
const list = async (query = ''): Promise<TraceList> =>
  traceListSchema.parse((await desk.service.askSigned(TRACES + query)).json());
const inputs = async (query = ''): Promise<string[]> => (await list(query)).results.map(({ input }) => input);
const many = (count: number, of: (at: number) => object = () => ({})) =>
  desk.service.post(
    TRACES,
    Array.from({ length: count }, (_, at) => ({ ...TRACE, input: `${at}`, ...of(at) })),
  );

describe('traces', () => {
  it('are added as a list in the spelling of the reference, with an answer for each', async () => {
    const { projectId } = await desk.project();
    const answer = await desk.service.post(TRACES, [{ ...TRACE, projectId, feedback: 'So so.' }, TRACE]);
    const { results } = answer.json() as { results: { traceId: string; success: boolean }[] };
    expect(results.map(({ success }) => success)).toEqual([true, true]);
    const found = await desk.service.getJson(`${TRACES}/${results[0]?.traceId}`);
    expect(wholeTraceSchema.parse(found)).toMatchObject({
      ...TRACE,
      id: results[0]?.traceId,
      projectId,
      feedback: 'So so.',
      addedToDataset: false,
      processingStatus: 'none',
      conversationId: null,
      messages: null,
    });
    expect((await list()).total).toBe(2);
  });

  it('are added as one object in the spelling of the scripts, and the trace itself is answered', async () => {
    const { projectId } = await desk.project();
    const { modelId: model_id, ...rest } = TRACE;
    const trace = traceSchema.parse(await desk.addOne({ ...rest, model_id, project_id: projectId.toUpperCase() }));
    expect(trace).toMatchObject({ modelId: 'm', projectId });
    expect(await inputs(`?projectId=${projectId}`)).toEqual(['Hello?']);
  });

  it.each([
    ['no model', { ...TRACE, modelId: undefined }, 'modelId'],
    ['an empty input', { ...TRACE, input: '' }, 'input'],
    ['a score above 1', { ...TRACE, score: 1.1 }, 'score'],
    ['long feedback', { ...TRACE, feedback: 'x'.repeat(TRACE_LIMITS.feedback + 1) }, 'feedback'],
    ['two models in two spellings', { ...TRACE, model_id: 'n' }, 'model_id'],
    ['two projects in two spellings', { ...TRACE, projectId: OTHER_ID, project_id: UNKNOWN_ID }, 'project_id'],
    ['a project that is no id', { ...TRACE, projectId: 'x' }, 'projectId'],
    ['one of a list without an output', [TRACE, { ...TRACE, output: undefined }], '[1].output'],
    ['an empty list', [], null],
    ['a list that is too long', Array.from({ length: TRACE_LIMITS.added + 1 }, () => TRACE), null],
    ['a text', 'x', null],
  ])('with %s are refused with the field at fault, and none is added', async (_what, body, param) => {
    const answer = await desk.service.post(TRACES, body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param } });
    expect((await list()).total).toBe(0);
  });

  it('of a project that is not there are refused, and none is added', async () => {
    const answer = await desk.service.post(TRACES, [TRACE, { ...TRACE, projectId: UNKNOWN_ID }]);
    expect([answer.status, answer.json()]).toMatchObject([404, { error: { code: 'project_not_found' } }]);
    expect((await list()).total).toBe(0);
  });

  it('with characters that a database refuses are kept with a mark in their places', async () => {
    expect(await desk.addOne({ ...TRACE, output: 'a\0b\ud800' })).toMatchObject({ output: 'a\uFFFDb\uFFFD' });
  });

  it('get a score, feedback and a project later, and keep what is not named', async () => {
    const { projectId } = await desk.project();
    const { id } = await desk.addOne({ ...TRACE, score: null });
    expect((await desk.put(id, { score: 1, projectId })).json()).toMatchObject({ score: 1, projectId, feedback: null });
    const changed = traceSchema.parse((await desk.put(id, { feedback: 'Good.' })).json());
    expect(changed).toMatchObject({ score: 1, projectId, feedback: 'Good.' });
    expect((await desk.put(id, { projectId: null })).json()).toMatchObject({ projectId: null, score: 1 });
    expect((await desk.put(id, { score: -1 })).json()).toMatchObject({ error: { param: 'score' } });
    expect((await desk.put(id, { projectId: UNKNOWN_ID })).status).toBe(404);
    for (const change of [{}, { rating: 1 }])
      expect([(await desk.put(id, change)).status, change]).toEqual([400, change]);
    expect((await desk.put(UNKNOWN_ID, { score: 1 })).json()).toMatchObject({ error: { code: 'trace_not_found' } });
  });

  it('are deleted once', async () => {
    const { id } = await desk.addOne(TRACE);
    const remove = () => desk.service.askSigned(`${TRACES}/${id}`, { method: 'DELETE' });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect((await list()).total).toBe(0);
  });

  it('are counted by model and score, as changes leave them', async () => {
    const { projectId } = await desk.project();
    const { id } = await desk.addOne({ ...TRACE, projectId });
    await desk.addOne({ ...TRACE, projectId, score: null });
    await desk.addOne({ ...TRACE, modelId: 'other' });
    await desk.put(id, { score: 0.8 });
    const counts = await desk.service.getJson(`/api/v1/studio/trace-counts?projectId=${projectId}`);
    expect(counts).toEqual({ models: [{ modelId: 'm', unscored: 1, weak: 0, good: 1 }] });
  });
});

describe('a list', () => {
  it('is filtered by models, project and score', async () => {
    const { projectId } = await desk.project();
    await desk.addOne({ ...TRACE, input: 'mine', projectId });
    await desk.addOne({ ...TRACE, input: 'other', modelId: 'org/n', score: 0.9 });
    await desk.addOne({ ...TRACE, input: 'third', modelId: 'p', score: null });
    expect(await inputs()).toEqual(['third', 'other', 'mine']);
    expect(await inputs('?modelIds=m,org%2Fn&sortOrder=asc')).toEqual(['mine', 'other']);
    expect(await inputs(`?projectId=${projectId}`)).toEqual(['mine']);
    expect(await inputs('?band=good')).toEqual(['other']);
    expect(await inputs('?band=unscored')).toEqual(['third']);
    expect(await inputs('?sortBy=score')).toEqual(['other', 'mine', 'third']);
    expect(await inputs('?sortBy=score&sortOrder=asc')).toEqual(['mine', 'other', 'third']);
  });

  it.each(['createdAt&sortOrder=asc', 'createdAt&sortOrder=desc', 'score&sortOrder=asc', 'score&sortOrder=desc'])(
    'has each trace once over its pages, by number and by cursor alike: %s',
    async (sort) => {
      // Equal scores, and none, over several models and pages.
      const of = (at: number) => ({ modelId: `m${at % 3}`, score: at % 4 === 0 ? null : (at % 5) / 4 });
      await many(170, of);
      const pages = [1, 2, 3, 4].map((page) => `?sortBy=${sort}&page=${page}`);
      const byNumber: string[] = [];
      // Backwards, so that no page goes on where another ended.
      for (const page of pages.toReversed()) byNumber.unshift(...(await inputs(page)));
      const inTurn: string[] = [];
      for (const page of pages) inTurn.push(...(await inputs(page)));
      const byCursor: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const part: TraceList = await list(`?sortBy=${sort}${next === '' ? '' : `&after=${next}`}`);
        expect(part.total).toBe(170);
        byCursor.push(...part.results.map(({ input }) => input));
        next = part.next;
      }
      const order = [...Array(170).keys()].sort((a, b) => {
        const sign = sort.endsWith('asc') ? 1 : -1;
        if (!sort.startsWith('score')) return sign * (a - b);
        const [one, two] = [of(a).score, of(b).score];
        if (one === null || two === null) return one === two ? sign * (a - b) : one === null ? 1 : -1;
        return sign * (one - two || a - b);
      });
      expect(byNumber).toEqual(order.map(String));
      expect(inTurn).toEqual(byNumber);
      expect(byCursor).toEqual(byNumber);
    },
  );

  it('is searched in inputs and outputs, in any case, with every hit over its answers', async () => {
    await many(120, (at) => (at % 2 === 0 ? { output: 'A 100% Refund_' } : {}));
    const first = await list('?search=100%25%20refund_');
    expect(first.results).toHaveLength(50);
    const second = await list(`?search=100%25%20refund_&after=${first.next}`);
    expect(second.results).toHaveLength(10);
    expect(second.next).toBeNull();
    expect(new Set([...first.results, ...second.results].map(({ input }) => Number(input) % 2))).toEqual(new Set([0]));
    expect(await inputs('?search=nothing')).toEqual([]);
    // By number, by a reader who did not ask for the page before.
    expect(await inputs('?search=refund_&page=3')).toEqual([]);
    expect(await inputs('?search=refund_&page=2')).toEqual(second.results.map(({ input }) => input));
  });

  it.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['after=x', 'after'],
    ['sortBy=score&after=s--_3', 'after'],
    ['sortBy=score&after=s1.5_3', 'after'],
    ['sortBy=id', 'sortBy'],
    ['projectId=1', 'projectId'],
    ['search=a%00b', 'search'],
    ['modelIds=a%00b', 'modelIds'],
    [`modelIds=${Array.from({ length: 51 }, (_, at) => at).join(',')}`, 'modelIds'],
  ])('refuses ?%s', async (query, param) => {
    const answer = await desk.service.askSigned(`${TRACES}?${query}`);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param } }]);
  });

  it('has a page by its number as far from a known one as may be, and says how to go on to another', async () => {
    const { skipped, page } = TRACE_LIMITS;
    await desk.addOne({ ...TRACE, modelId: 'far' });
    // More than a test can add: the number of a group says how many it has.
    await desk.database.executeSql('update studio.trace_groups set traces = 30000');
    const ask = (number: number) => desk.service.askSigned(`${TRACES}?modelIds=far&page=${number}`);
    const farthest = skipped / page + 1;
    expect((await ask(farthest)).status).toBe(200);
    const answer = await ask(farthest + 1);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param: 'page', code: 'page_too_far' } }]);
    // Beyond the last one there is nothing to be far from.
    expect((await ask(601)).status).toBe(200);
  });

  it.each(['createdAt', 'score'])('goes on by number from a page that the same reader read, by %s', async (sort) => {
    const model = `near-${sort}`;
    await many(220, (at) => ({ modelId: model, score: at % 3 === 0 ? null : (at % 7) / 6 }));
    const query = `?modelIds=${model}&sortBy=${sort}`;
    const all: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const part: TraceList = await list(query + (next === '' ? '' : `&after=${next}`));
      all.push(...part.results.map(({ input }) => input));
      next = part.next;
    }
    expect(all).toHaveLength(220);
    // Of 74 traces without a score the first is on the third page.
    for (const page of [1, 3, 5, 4, 2])
      expect(await inputs(`${query}&page=${page}`)).toEqual(all.slice(page * 50 - 50, page * 50));
    // A new one moves all; who begins again sees them where they are.
    await desk.addOne({ ...TRACE, modelId: model, input: 'new', score: null });
    await inputs(`${query}&page=1`);
    const moved = sort === 'createdAt' ? all.slice(99, 149) : all.slice(100, 146);
    expect((await inputs(`${query}&page=3`)).slice(0, moved.length)).toEqual(moved);
  });

  it.each([
    ['got a score', 95, [1, 2], 3, 0.5],
    ['lost their score', 55, [1], 2, null],
  ] as const)('goes on by number after some %s', async (_, scored, read, page, score) => {
    await many(110, (at) => ({ modelId: score === null ? 'lost' : 'got', score: at < scored ? at / 200 : null }));
    const query = `?modelIds=${score === null ? 'lost' : 'got'}&sortBy=score&sortOrder=asc`;
    for (const known of read) await list(`${query}&page=${known}`);
    const { results: changed } = await list(`?sortOrder=asc&page=${score === null ? 1 : 3}`);
    for (const { id } of changed.slice(0, 10)) await desk.put(id, { score });
    // Before the first page is read again, which forgets the others.
    const found = await inputs(`${query}&page=${page}`);
    const all: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const part: TraceList = await list(query + (next === '' ? '' : `&after=${next}`));
      all.push(...part.results.map(({ input }) => input));
      next = part.next;
    }
    expect(all).toHaveLength(110);
    expect(found).toEqual(all.slice(page * 50 - 50, page * 50));
  });

  it('of a page after the last one is empty', async () => {
    await many(3);
    expect(await list('?page=9')).toMatchObject({ results: [], total: 3, next: null });
  });
});

describe('what a project does with traces', () => {
  const put = (id: string, settings: object) =>
    desk.service.askSigned(`/api/v1/studio/projects/${id}/trace-settings`, {
      method: 'PUT',
      body: JSON.stringify(settings),
      headers: { 'Content-Type': 'application/json' },
    });

  it('is nothing before somebody chose it', async () => {
    const { projectId } = await desk.project();
    const url = `/api/v1/studio/projects/${projectId}/trace-settings`;
    expect(await desk.service.getJson(url)).toEqual(NO_SETTINGS);
    const chosen = { keeps_chats: true, keep_days: 30, corrector: 'big' };
    expect((await put(projectId, chosen)).json()).toEqual({ ...chosen, left_out: 0 });
    expect(await desk.service.getJson(url)).toEqual({ ...chosen, left_out: 0 });
    expect((await put(projectId, { ...chosen, keep_days: 0 })).json()).toMatchObject({ error: { param: 'keep_days' } });
    expect((await put(UNKNOWN_ID, chosen)).status).toBe(404);
  });
});
