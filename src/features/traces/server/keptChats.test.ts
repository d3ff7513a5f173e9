import { beforeEach, describe, expect, it } from 'vitest';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { openMemoryBudget } from '#service/http/memoryBudget.ts';
import { toChatRoute } from '#features/playground/server/chatRoute.ts';
import { openTestEngine } from '#service/http/testEngine.fixture.ts';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import { openKeptChats, toKeptTrace } from './keptChats.ts';
import { countLeftOut, findSettings, saveSettings, type StoredTrace } from './traceStore.ts';
import { keep } from '#service/files/keep.fixture.ts';

const ids = Array.from({ length: 6 }, (_, at) => `00000000-0000-4000-8000-00000000000${at + 1}`);
const [PROJECT, DATASET, SNAPSHOT, JOB, EXPERIMENT, OTHER] = ids as [string, string, string, string, string, string];
/** As the engine of the tests calls its model "plain". */
const MODEL = 'full/plain';

const database = await keepDatabase();
let kept: StoredTrace[] = [];
let clock = 0;

await database.executeSql(
  `insert into studio.projects (id, name, created_at) values ('${PROJECT}', 'One', now()), ('${OTHER}', 'Two', now());
   insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
     values ('${DATASET}', '${PROJECT}', 0, 'd', 'completed', 0, now());
   insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
     values ('${SNAPSHOT}', '${DATASET}', 0, 's', 0, 0, 0, now());
   insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
     values ('${JOB}', '${SNAPSHOT}', 0, 'j', 'completed', false, now());
   insert into studio.experiments
     (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size, learning_rate_multiplier, created_at)
     values ('${EXPERIMENT}', '${JOB}', 1, 'e', 'succeeded', 'base', true, 1, 1, 1, now());
   insert into studio.models (id, position, experiment_id, file, aliases, owned_by, about, created_at)
     values ('${MODEL}', 0, '${EXPERIMENT}', 'f', '["nick"]', 'me', '', now())`,
);
const chats = openKeptChats({
  database,
  add: async (trace) => kept.push(trace),
  leaveOut: (projectId) => countLeftOut(database.orm, projectId),
  clock: () => clock,
  onFailure: () => undefined,
});
const engine = openTestEngine();
const service = await keep(
  openTestService({
    routes: (streams) => [
      toChatRoute({
        engine,
        streams,
        now: Date.now,
        random: () => 'r',
        report: () => undefined,
        bodies: openMemoryBudget(1e6),
        findKeeper: chats.find,
      }),
    ],
  }),
);
beforeEach(() => {
  kept = [];
  clock += 10_000;
});

const settings = { keeps_chats: true, keep_days: null, corrector: null };
const set = (project: string, keeps_chats: boolean) =>
  saveSettings(database.orm, project, { ...settings, keeps_chats });
const ask = (more: object = {}) =>
  service.post('/api/v1/chat/completions', { model: 'plain', messages: [{ role: 'user', content: 'Hi' }], ...more });

describe('a chat', () => {
  it('is not kept before somebody switches it on', async () => {
    expect((await ask()).status).toBe(200);
    expect(await chats.find(MODEL, PROJECT)).toBeNull();
    expect(kept).toEqual([]);
  });

  it.each([{}, { stream: true }])(
    'of a model of a project that keeps chats is a trace without a score: %j',
    async (more) => {
      await set(PROJECT, true);
      const { status, text } = await ask(more);
      expect([status, text]).toEqual([200, expect.stringContaining('you')]);
      const trace = { modelId: MODEL, projectId: PROJECT, input: 'Hi', output: 'Grüße "you"\n', score: null };
      expect(kept).toEqual([{ ...trace, feedback: null, messages: null }]);
    },
  );

  it('belongs to the project that the request names, whatever keeps its own', async () => {
    await set(PROJECT, true);
    await set(OTHER, false);
    await ask({ project_id: OTHER });
    expect(kept).toEqual([]);
    clock += 10_000;
    await set(OTHER, true);
    await ask({ project_id: OTHER.toUpperCase() });
    expect(kept).toMatchObject([{ projectId: OTHER }]);
    // No id: what other clients send under this name changes nothing.
    await ask({ project_id: 7 });
    await ask({ project_id: 'mine' });
    expect(kept.slice(1)).toMatchObject([{ projectId: PROJECT }, { projectId: PROJECT }]);
  });

  it('of a model from elsewhere that names no project is not kept', async () => {
    await set(PROJECT, true);
    expect(await chats.find('gpt', null)).toBeNull();
    expect(await chats.find('nick', null)).not.toBeNull();
  });

  it('with more than one message is kept whole, and its last question is the input', () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'When?' },
    ];
    const trace = toKeptTrace(messages, 'Now.', { modelId: 'm', projectId: PROJECT });
    expect(trace).toMatchObject({ input: 'When?', output: 'Now.', messages });
  });

  it('whose question, answer or conversation is longer than a trace may be is answered, not kept, and counted', async () => {
    await set(PROJECT, true);
    const keep = await chats.find(MODEL, PROJECT);
    const most = 'x'.repeat(TRACE_LIMITS.text);
    const user = (content: string) => ({ role: 'user' as const, content });
    keep?.([user(most)], most);
    expect(kept).toHaveLength(1);
    keep?.([user(`${most}x`)], 'a');
    keep?.([user('a')], `${most}x`);
    keep?.([{ role: 'system', content: most }, user('a')], 'a');
    expect(kept).toHaveLength(1);
    expect((await ask({ messages: [user(`${most}x`)] })).status).toBe(200);
    expect(kept).toHaveLength(1);
    await expect.poll(async () => (await findSettings(database.orm, PROJECT)).left_out).toBe(4);
    // What a person chooses later leaves the number as it is.
    expect(await saveSettings(database.orm, PROJECT, settings)).toMatchObject({ ...settings, left_out: 4 });
  });
});
