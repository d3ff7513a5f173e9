// For tests: evaluations over HTTP with a database, a project with a dataset, and models that answer as their names say.
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { ModelEntry } from '#core/contract/completion.ts';
import type { Engine, EngineEvent } from '#engine/engine.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import type { Database } from '#service/database/database.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { openTestService, type Answer, type TestOptions, type TestService } from '#service/http/testService.fixture.ts';
import { toEvaluationRoutes } from './evaluationRoutes.ts';
import { openEvaluations, type Evaluations, type EvaluationsOptions } from './openEvaluations.ts';

export const EVALUATIONS_PATH = '/api/v1/studio/evaluations';
export const RUNS_PATH = '/api/v1/studio/evaluation-runs';

/** What the models say to a text. */
export const VOICES: Readonly<Record<string, (text: string, request: ChatRequest) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  copy: (text) => text,
  judge: (text) => {
    const isLoud = /Answer to judge:\n"""\n[A-Z]+\n/.test(text);
    return JSON.stringify({ reason: 'By its letters.', score: isLoud ? 9 : 2, verdict: isLoud ? 'pass' : 'fail' });
  },
  /** Of two answers the one in capital letters. */
  referee: (text) => {
    const answers = [...text.matchAll(/(?:First|Second) answer:\n"""\n(.*)\n/g)].map(([, answer = '']) => answer);
    const [first, second] = answers.map((answer) => answer === answer.toUpperCase());
    return JSON.stringify({ reason: 'By its letters.', better: first === second ? 'tie' : first ? 'first' : 'second' });
  },
  hasty: () => JSON.stringify({ reason: 'It came first.', better: 'first' }),
  vague: () => 'It is quite good.',
  seeded: (text, { seed, temperature }) => `${text} ${seed} ${temperature}`,
};

/** Each model has an alias, too. */
const toId = (name: string): string => name.replace(/-alias$/, '');

/** `gone`: listed, but its file has been removed. */
const LISTED: readonly string[] = [...Object.keys(VOICES), 'gone'];
const toEntry = (id: string): ModelEntry => ({ id, object: 'model', created: 0, owned_by: 'test' });

export interface FakeEngine extends Pick<Engine, 'load' | 'findModel' | 'listModels'> {
  /** What is thrown in the place of an answer; null: nothing. */
  fault: ((request: ChatRequest) => Error | null) | null;
  /** How long each answer takes. */
  delayMs: number;
  readonly asked: ChatRequest[];
  /** The most answers that were made at a time. */
  most: number;
}

const textOf = ({ messages }: ChatRequest): string => messages.at(-1)?.content ?? '';

export function openFakeEngine(): FakeEngine {
  let now = 0;
  const engine: FakeEngine = {
    fault: null,
    delayMs: 0,
    asked: [],
    most: 0,
    listModels: async () => LISTED.map(toEntry),
    findModel: async (model) => (LISTED.includes(toId(model)) ? toEntry(toId(model)) : null),
    async load(name) {
      const model = toId(name);
      const voice = VOICES[model];
      if (voice === undefined) return null;
      async function* generate(request: ChatRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
        now += 1;
        engine.most = Math.max(engine.most, now);
        engine.asked.push(request);
        try {
          if (engine.delayMs > 0) await pause(engine.delayMs, undefined, { signal });
          const error = engine.fault?.(request) ?? null;
          if (error !== null) throw error;
          yield { type: 'text-delta', text: voice?.(textOf(request), request) ?? '' };
          const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
          yield { type: 'message-end', finish_reason: 'stop', usage };
        } finally {
          now -= 1;
        }
      }
      return { id: model, fingerprint: `fp_${model}`, generate };
    },
  };
  return engine;
}

export const PROJECT = randomUUID();
export const DATASET = randomUUID();
export const SNAPSHOT = randomUUID();

const HELD_OUT: readonly string[] = [
  {
    messages: [
      { role: 'system', content: 'Shout.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'ONE' },
    ],
  },
  {
    messages: [
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'two' },
    ],
  },
].map((row) => JSON.stringify(row));

/** Fills the tables that evaluations refer to. */
export async function fillTables(database: Database): Promise<void> {
  await database.executeSql(`insert into studio.projects (id, name, created_at) values ($1, 'Test', now())`, [PROJECT]);
  await database.executeSql(
    `insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
     values ($1, $2, 1, 'Words', 'completed', 10, now())`,
    [DATASET, PROJECT],
  );
  await database.executeSql(
    `insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
     values ($1, $2, 1, 'Snapshot 1', 10, 8, 2, now())`,
    [SNAPSHOT, DATASET],
  );
}

export const TIMING = { models: 2, places: 4, faultMs: 1, patienceMs: 5_000, asideMs: 60_000 } as const;

export const openTestEvaluations = (
  database: Database,
  engine: FakeEngine,
  more: Partial<EvaluationsOptions> = {},
): Promise<Evaluations> =>
  openEvaluations({
    database,
    engine,
    studio: {
      async findRows(id) {
        async function* pages(): AsyncGenerator<readonly string[]> {
          yield HELD_OUT;
        }
        return id === SNAPSHOT ? { fileName: 'rows.jsonl', pages: pages() } : null;
      },
    },
    now: () => new Date(),
    report: () => undefined,
    timing: TIMING,
    ...more,
  });

export interface TestRoom {
  readonly database: Database;
  readonly engine: FakeEngine;
  readonly service: TestService;
  readonly evaluations: Evaluations;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Makes an evaluation of two rows. */
  create(more?: object): Promise<Evaluation>;
  start(evaluationId: string, body?: object): Promise<EvaluationRun>;
  /** Waits until a run is so. */
  waitFor(runId: string, status: EvaluationRun['status']): Promise<EvaluationRun>;
  close(): Promise<void>;
}

export const ROWS: EvaluationRow[] = [
  { messages: [{ role: 'user', content: 'One' }], expected: 'ONE', tags: { kind: 'number' } },
  { messages: [{ role: 'user', content: 'two' }], expected: 'two', tags: { kind: 'number', size: 'small' } },
];

type RoomOptions = TestOptions & { readonly roots?: readonly RunRoot[] };

/** For all tests of a file, with a database and filled tables. */
export async function keepTestRoom(
  more: Partial<EvaluationsOptions> = {},
  options: RoomOptions = {},
): Promise<TestRoom> {
  const database = await keepDatabase();
  await fillTables(database);
  return keep(openTestRoom(database, more, options));
}

export async function openTestRoom(
  database: Database,
  more: Partial<EvaluationsOptions> = {},
  { roots = [], ...options }: RoomOptions = {},
): Promise<TestRoom> {
  const engine = openFakeEngine();
  const evaluations = await openTestEvaluations(database, engine, more);
  const runs = { listRoots: async () => roots };
  const service = await openTestService({
    ...options,
    routes: () => toEvaluationRoutes({ database, evaluations, runs }),
  });
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.askSigned(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  const room: TestRoom = {
    database,
    engine,
    service,
    evaluations,
    send,
    async create(more = {}) {
      const body = {
        project_id: PROJECT,
        name: 'Words',
        source: { kind: 'rows' },
        rows: ROWS,
        models: ['upper', 'lower'],
        checks: [{ id: 'same', kind: 'exact' }],
        ...more,
      };
      return (await send('POST', EVALUATIONS_PATH, body)).json() as Evaluation;
    },
    start: async (id, body = {}) =>
      (await send('POST', `${EVALUATIONS_PATH}/${id}/runs`, body)).json() as EvaluationRun,
    async waitFor(runId, status) {
      for (;;) {
        const run = (await send('GET', `${RUNS_PATH}/${runId}`)).json() as EvaluationRun;
        if (run.status === status) return run;
        await pause(20);
      }
    },
    async close() {
      await service.close();
      await evaluations.close();
    },
  };
  return room;
}
