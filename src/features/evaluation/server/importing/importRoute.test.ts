import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { evaluationImportSchema } from '#features/evaluation/shared/contract/evaluationImport.ts';
import {
  fillTables,
  openTestRoom,
  PROJECT,
  EVALUATIONS_PATH,
  RUNS_PATH,
  type TestRoom,
} from '#features/evaluation/server/testRoom.fixture.ts';
import { answerPageSchema, type Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Database } from '#service/database/database.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import {
  makeNamedToken,
  openTestService,
  UNKNOWN_ID,
  type Answer,
  type TestService,
} from '#service/http/testService.fixture.ts';
import { toEvaluationRoutes } from '#features/evaluation/server/evaluationRoutes.ts';

let database: Database;
let room: TestRoom;
keepDatabase((opened) => {
  database = opened;
});
beforeAll(async () => {
  await fillTables(database);
  room = await openTestRoom(database);
});
afterAll(() => room.close());

const made = (name: string): Buffer => readFileSync(new URL(`../../shared/imports/made/${name}`, import.meta.url));

async function send(
  fields: Readonly<Record<string, string>>,
  content: Buffer | string,
  name: string,
  ask: TestService['ask'] = room.service.askSigned,
): Promise<Answer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([Buffer.from(content)]), name);
  const response = new Response(form);
  return ask(`${EVALUATIONS_PATH}/import`, {
    method: 'POST',
    headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()),
  });
}

describe('an import of a file', () => {
  it('of results makes an evaluation, and a run whose answers are judged without a model', async () => {
    const sent = await send(
      { project_id: PROJECT, name: 'From promptfoo' },
      made('promptfooResults.json'),
      'results.json',
    );
    expect([sent.status, sent.text]).toEqual([201, sent.text]);
    const { evaluation, run, tool, problems } = evaluationImportSchema.parse(sent.json());
    expect([tool, problems]).toEqual([
      'promptfoo',
      [expect.stringMatching(/^Test 1: “javascript” differs between tests/)],
    ]);
    expect(evaluation).toMatchObject({
      name: 'From promptfoo',
      row_count: 6,
      models: [],
      source: { kind: 'rows', name: 'promptfoo' },
    });
    expect(evaluation.checks.map(({ id }) => id)).toEqual(['short', 'not-contains', 'icontains']);
    const ended = await room.waitFor(run?.id ?? '', 'completed');
    expect(ended).toMatchObject({ done: 4, failed: 2, models: [{ model: 'fixed', rate: { passed: 2, total: 4 } }] });
    const scores = (await room.send('GET', `${RUNS_PATH}/${ended.id}/scores`)).json() as Scores;
    expect(scores.models[0]?.by_check.map(({ scorer, rate }) => [scorer, rate.passed])).toEqual([
      ['short', 4],
      ['not-contains', 4],
      ['icontains', 2],
    ]);
    expect(room.engine.asked).toEqual([]);
  });

  it('of a log with repeats keeps each answer at its place', async () => {
    const { run } = evaluationImportSchema.parse(
      (await send({ project_id: PROJECT }, made('small.eval'), 'small.eval')).json(),
    );
    const ended = await room.waitFor(run?.id ?? '', 'completed');
    expect(ended).toMatchObject({ repeats: 2, done: 6, failed: 0, models: [{ rate: { passed: 4, total: 6 } }] });
    const { rows } = (await room.send('GET', `${RUNS_PATH}/${ended.id}/answers`)).json() as {
      rows: { answers: { text: string; repeat: number }[] }[];
    };
    expect(rows.map(({ answers }) => answers.map(({ text }) => text))).toEqual([
      ['4', 'It is 4'],
      ['Paris', 'London'],
      ['red', 'blue'],
    ]);
  });

  it('of promptfoo’s results judges by its functions and by the time that answers took', async () => {
    const assert = [
      { type: 'javascript', value: 'output.includes(context.vars.word) ? 0.5 : 0', threshold: 0.5 },
      { type: 'latency', threshold: 100 },
    ];
    const results = ['one', 'two'].map((word, testIdx) => ({
      promptIdx: 0,
      testIdx,
      testCase: { vars: { word }, assert, threshold: 0.5 },
      vars: { word },
      prompt: { raw: `Say ${word}` },
      provider: { id: 'm' },
      response: { output: 'one' },
      latencyMs: 60 * (testIdx + 1),
    }));
    const sent = await send({ project_id: PROJECT }, JSON.stringify({ results: { version: 3, results } }), 'r.json');
    const { run, problems } = evaluationImportSchema.parse(sent.json());
    expect(problems).toEqual([
      'Test 1, Test 2: “threshold” is not read: an answer passes when all checks pass.',
      'In own functions the values of “context.vars” are texts.',
    ]);
    await room.waitFor(run?.id ?? '', 'completed');
    const { rows } = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run?.id}/answers`)).json());
    expect(rows.map(({ answers: [own] }) => own?.verdicts.map(({ outcome, score }) => [outcome, score]))).toEqual([
      [
        ['pass', 0.5],
        ['pass', 1],
      ],
      [
        ['fail', 0],
        ['fail', 0],
      ],
    ]);
  });

  it('of a configuration makes an evaluation without a run', async () => {
    const config =
      'prompts: ["Say {{word}}"]\ntests:\n  - vars: {word: one}\n    assert: [{type: icontains, value: one}]\n';
    const { evaluation, run } = evaluationImportSchema.parse(
      (await send({ project_id: PROJECT }, config, 'promptfooconfig.yaml')).json(),
    );
    expect(run).toBeNull();
    expect(evaluation).toMatchObject({ name: 'promptfoo', prompt: 'Say {{word}}', row_count: 1 });
    const { rows } = (await room.send('GET', `${EVALUATIONS_PATH}/${evaluation.id}/rows`)).json() as { rows: object[] };
    expect(rows).toEqual([{ position: 0, variables: { word: 'one' } }]);
  });

  it.each<[string, Readonly<Record<string, string>>, Buffer | string, string, number, RegExp]>([
    ['no project', {}, '{}', 'a.json', 400, /project_id/],
    ['an unknown project', { project_id: UNKNOWN_ID }, made('small.eval'), 'a.eval', 404, /project/],
    ['a field of no meaning', { project_id: PROJECT, more: '1' }, '{}', 'a.json', 400, /more/],
    ['a file of no tool', { project_id: PROJECT }, '{"a": 1}', 'a.json', 400, /a\.json is of no tool/],
    ['a damaged archive', { project_id: PROJECT }, made('small.eval').subarray(0, 9_000), 'a.eval', 400, /damaged/],
    ['scores alone', { project_id: PROJECT }, made('lmEvalResults.json'), 'r.json', 400, /samples_\*\.jsonl/],
  ])('with %s is refused', async (_, fields, content, name, status, message) => {
    const sent = await send(fields, content, name);
    expect([sent.status, sent.text]).toEqual([status, expect.stringMatching(message)]);
  });

  it('leaves own functions out that are not sent by the owner', async () => {
    const { token, tokens } = makeNamedToken('ada');
    const service = await openTestService({
      tokens,
      routes: () => toEvaluationRoutes({ database, evaluations: room.evaluations }),
    });
    onTestFinished(() => service.close());
    const check = { id: 'own', kind: 'function', expected: '() => true' };
    const file = [
      { form: 'model-studio-evaluation', version: 1, evaluation: { name: 'Own', checks: [check] } },
      { messages: [{ role: 'user', content: 'Hi' }], answers: [] },
    ];
    const text = file.map((line) => JSON.stringify(line)).join('\n');
    const asAda: TestService['ask'] = (path, more = {}) =>
      service.ask(path, { ...more, headers: { ...more.headers, Authorization: `Bearer ${token}` } });
    const read = async (ask?: TestService['ask']) =>
      evaluationImportSchema.parse((await send({ project_id: PROJECT }, text, 'own.jsonl', ask)).json());
    expect(await read(asAda)).toMatchObject({
      evaluation: { checks: [] },
      problems: [expect.stringMatching(/^1 own function was left out: only the owner/)],
    });
    expect(await read()).toMatchObject({ evaluation: { checks: [check] }, problems: [] });
  });
});
