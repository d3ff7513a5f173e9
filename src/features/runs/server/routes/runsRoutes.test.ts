// The endpoints of runs from folders over real HTTP, and how they join what the studio has.
import { describe, expect, it } from 'vitest';
import { projectListSchema, projectResponseSchema, type ProjectNode } from '#core/contract/tree.ts';
import { RunsForbidden, RunsProblem, RunsUnavailable, type Runs } from '#features/runs/server/runs.ts';
import {
  JOB_ID,
  makeNamedToken,
  openTestService,
  PROJECT_ID,
  SNAPSHOT_ID,
  UNKNOWN_ID,
} from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const ROOT_ID = '11111111-0d5b-4c37-9a51-1f2e3d4c91ab';
const FLAG_ROOT_ID = '22222222-0d5b-4c37-9a51-1f2e3d4c91ab';
const RUN_ID = '33333333-0d5b-4c37-9a51-1f2e3d4c91ab';
const RUN_JOB_ID = '44444444-0d5b-4c37-9a51-1f2e3d4c91ab';
const RUN_SNAPSHOT_ID = '55555555-0d5b-4c37-9a51-1f2e3d4c91ab';

const root = { id: ROOT_ID, path: '/data/outputs', runs: 2 } as never;
const project: ProjectNode = { id: ROOT_ID, type: 'project', name: 'outputs', children: [] };

let isAway = false;
const grouped: unknown[] = [];

/** Answers, or fails as it does while the thread is started again. */
async function answer<Value>(value: Value): Promise<Value> {
  if (isAway) throw new RunsUnavailable('The runs are being read anew. Ask again in some seconds.');
  return value;
}

const runs: Runs = {
  listProjects: async () => [{ id: ROOT_ID, name: 'outputs', created_at: '2026-11-20T00:00:00.000Z' }],
  listRoots: () => answer([root]),
  async addRoot(path, from) {
    if (from === 'given folders') throw new RunsForbidden('This token may only show folders in /data.');
    if (path === '/none') throw new RunsProblem("The folder /none can't be shown: there is no such folder.");
    return root;
  },
  removeRoot: async (id) => (id === ROOT_ID ? 'removed' : id === FLAG_ROOT_ID ? 'from-flag' : null),
  async changeRoot(id, { grouping }) {
    grouped.push(grouping);
    return id === ROOT_ID ? root : null;
  },
  findProject: (id) => answer(id === ROOT_ID ? project : null),
  findJob: (id) =>
    answer(
      id === RUN_JOB_ID
        ? { id, name: 'sweep', snapshot_id: RUN_SNAPSHOT_ID, status: 'stopped', experiments: [] }
        : null,
    ),
  findRun: (id) => answer(id === RUN_ID ? ({ id, label: 'lr1' } as never) : null),
  findCurves: ({ version }) => answer(version === 'v1' ? null : { version: 'v1', curves: [], names: [] }),
  async findCompletions(id, { step, sort }) {
    if (id !== RUN_ID) return null;
    if (step === 7) return { kind: 'unreadable', reason: 'a.parquet is damaged.' };
    if (step === 8) return { kind: 'no-step' };
    return {
      kind: 'list',
      list: { step, file: 'a', measures: [sort ?? 'none'], left_out: [], total: 0, found: 0, offset: 0, rows: [] },
    };
  },
  findSnapshotRoot: (id) => answer(id === RUN_SNAPSHOT_ID ? '/data/outputs' : null),
  listModelFiles: async () => [],
  look: async () => {},
  close: async () => {},
};

const named = makeNamedToken('ada');
const service = await keep(openTestService({ runs, tokens: named.tokens }));

const STUDIO = '/api/v1/studio';
const PUBLIC = '/api/v1/public';

function send(method: string, path: string, body: unknown = {}) {
  const headers = { 'Content-Type': 'application/json' };
  return service.askSigned(path, { method, headers, body: JSON.stringify(body) });
}

describe('roots', () => {
  it('are listed, added, grouped and removed', async () => {
    expect((await service.askSigned(`${STUDIO}/run-roots`)).json()).toEqual({ roots: [root] });
    expect((await send('POST', `${STUDIO}/run-roots`, { path: '/data/outputs' })).status).toBe(201);
    const grouping = { by: 'parameter', parameter: 'seed' };
    expect((await send('PUT', `${STUDIO}/run-roots/${ROOT_ID}`, { grouping })).json()).toEqual(root);
    expect(grouped).toEqual([grouping]);
    expect((await service.askSigned(`${STUDIO}/run-roots/${ROOT_ID}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('of a named token lie in those that the studio was started with', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${named.token}` };
    const body = JSON.stringify({ path: '/data/outputs' });
    const refused = await service.ask(`${STUDIO}/run-roots`, { method: 'POST', headers, body });
    expect([refused.status, refused.json()]).toMatchObject([403, { error: { code: 'folder_not_allowed' } }]);
  });

  it.each<[string, string, number, string, unknown]>([
    ['POST', 'run-roots', 400, 'folder_not_usable', { path: '/none' }],
    ['POST', 'run-roots', 400, 'invalid_request', {}],
    ['POST', 'run-roots', 400, 'invalid_request', { path: '' }],
    ['POST', 'run-roots', 400, 'invalid_request', { path: 'x'.repeat(5000) }],
    ['POST', 'run-roots', 413, 'body_too_large', { path: 'x'.repeat(70_000) }],
    ['PUT', `run-roots/${ROOT_ID}`, 400, 'invalid_request', { grouping: { by: 'colour' } }],
    ['PUT', `run-roots/${ROOT_ID}`, 400, 'invalid_request', { grouping: { by: 'pattern', pattern: '' } }],
    ['PUT', `run-roots/${UNKNOWN_ID}`, 404, 'root_not_found', { grouping: { by: 'folder' } }],
    ['PUT', 'run-roots/x', 400, 'invalid_id', { grouping: { by: 'folder' } }],
    ['DELETE', `run-roots/${UNKNOWN_ID}`, 404, 'root_not_found', undefined],
    ['DELETE', `run-roots/${FLAG_ROOT_ID}`, 409, 'root_from_flag', undefined],
    ['POST', 'curves', 400, 'invalid_request', { runs: [], names: ['loss'] }],
    ['POST', 'curves', 400, 'invalid_request', { runs: ['x'], names: ['loss'] }],
    ['POST', 'curves', 400, 'invalid_request', { runs: [RUN_ID], names: ['loss'], points: 5 }],
  ])('%s %s: %i %s', async (method, path, status, code, body) => {
    const refused =
      body === undefined
        ? await service.askSigned(`${STUDIO}/${path}`, { method })
        : await send(method, `${STUDIO}/${path}`, body);
    expect([refused.status, refused.json()]).toMatchObject([status, { error: { code } }]);
  });

  it('need a token', async () => {
    expect((await service.ask(`${STUDIO}/run-roots`)).status).toBe(401);
    expect((await service.ask(`${STUDIO}/runs/${RUN_ID}`)).status).toBe(401);
  });
});

describe('runs', () => {
  it('have facts, with a tag while nothing changes', async () => {
    const first = await service.askSigned(`${STUDIO}/runs/${RUN_ID}`);
    expect(first.json()).toEqual({ id: RUN_ID, label: 'lr1' });
    const headers = { 'If-None-Match': String(first.headers['etag']) };
    expect((await service.askSigned(`${STUDIO}/runs/${RUN_ID}`, { headers })).status).toBe(304);
    expect((await service.askSigned(`${STUDIO}/runs/${UNKNOWN_ID}`)).json()).toMatchObject({
      error: { code: 'run_not_found' },
    });
  });

  it('have completions by step and column', async () => {
    const path = `${STUDIO}/runs/${RUN_ID}/completions`;
    const list = await service.askSigned(`${path}?step=3&sort=-reward`);
    expect([list.status, list.json()]).toMatchObject([200, { step: 3, measures: ['-reward'] }]);
    for (const [query, status, code] of [
      ['step=7', 422, 'file_not_readable'],
      ['step=8', 404, 'step_not_found'],
      ['step=x', 400, 'invalid_request'],
      ['page=2', 400, 'invalid_request'],
    ] as const) {
      const refused = await service.askSigned(`${path}?${query}`);
      expect([refused.status, refused.json()]).toMatchObject([status, { error: { code } }]);
    }
    expect((await service.askSigned(`${STUDIO}/runs/${UNKNOWN_ID}/completions`)).status).toBe(404);
  });

  it('have curves, once for a version', async () => {
    const question = { runs: [RUN_ID], names: ['loss'] };
    expect((await send('POST', `${STUDIO}/curves`, question)).json()).toMatchObject({ version: 'v1' });
    const same = await send('POST', `${STUDIO}/curves`, { ...question, version: 'v1' });
    expect([same.status, same.body.length]).toEqual([304, 0]);
  });
});

describe('what the studio has, and what folders have', () => {
  it('is one list of projects, folders first, with trees and jobs of both', async () => {
    const list = (await service.askSigned(`${PUBLIC}/projects`)).json();
    expect(projectListSchema.parse(list).projects.map(({ id }) => id)).toEqual([ROOT_ID, PROJECT_ID]);
    for (const id of [ROOT_ID, PROJECT_ID]) {
      const tree = (await service.askSigned(`${PUBLIC}/projects/${id}`)).json();
      expect(projectResponseSchema.parse(tree).project.id).toBe(id);
    }
    expect((await service.askSigned(`${PUBLIC}/finetuning/${RUN_JOB_ID}`)).json()).toMatchObject({ status: 'stopped' });
    expect((await service.askSigned(`${PUBLIC}/finetuning/${JOB_ID}`)).json()).toMatchObject({ id: JOB_ID });
  });

  it.each([
    `${PUBLIC}/recommendations/${RUN_SNAPSHOT_ID}`,
    `${STUDIO}/snapshots/${RUN_SNAPSHOT_ID}/rows?bucket=training`,
  ])('says why there is nothing at %s', async (path) => {
    const refused = await service.askSigned(path);
    expect([refused.status, refused.json()]).toMatchObject([
      404,
      { error: { code: 'rows_not_recorded', message: expect.stringContaining('/data/outputs') as string } },
    ]);
  });

  it('of the studio is there while the folders are away', async () => {
    isAway = true;
    try {
      expect((await service.askSigned(`${PUBLIC}/finetuning/${JOB_ID}`)).status).toBe(200);
      expect((await service.askSigned(`${PUBLIC}/recommendations/${SNAPSHOT_ID}`)).status).toBe(200);
      const away = await service.askSigned(`${STUDIO}/runs/${RUN_ID}`);
      expect([away.status, away.headers['retry-after'], away.json()]).toMatchObject([
        503,
        '2',
        { error: { code: 'runs_unavailable' } },
      ]);
      expect((await service.askSigned(`${PUBLIC}/finetuning/${RUN_JOB_ID}`)).status).toBe(503);
    } finally {
      isAway = false;
    }
  });
});
