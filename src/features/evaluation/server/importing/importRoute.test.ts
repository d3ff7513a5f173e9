import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluationImportSchema } from '#features/evaluation/shared/contract/evaluationImport.ts';
import { keepTestRoom, PROJECT, EVALUATIONS_PATH, RUNS_PATH } from '#features/evaluation/server/testRoom.fixture.ts';
import { answerPageSchema, type Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import {
  makeNamedToken,
  openTestService,
  UNKNOWN_ID,
  type Answer,
  type TestService,
} from '#service/http/testService.fixture.ts';
import { toEvaluationRoutes } from '#features/evaluation/server/evaluationRoutes.ts';
import { keep } from '#service/files/keep.fixture.ts';

const room = await keepTestRoom();
const { database } = room;

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

  it('with unknown times checks no time, and gives none for an answer', async () => {
    const file = [
      {
        form: 'model-studio-evaluation',
        version: 1,
        evaluation: { checks: [{ id: 'soon', kind: 'latency', max: 9 }] },
      },
      {
        messages: [{ role: 'user', content: 'Hi' }],
        answers: [
          { model: 'm', text: 'Ho' },
          { model: 'n', text: 'Ho', ms: 5 },
        ],
      },
    ];
    const sent = await send({ project_id: PROJECT }, file.map((line) => JSON.stringify(line)).join('\n'), 'a.jsonl');
    const { run } = evaluationImportSchema.parse(sent.json());
    const { models } = await room.waitFor(run?.id ?? '', 'completed');
    expect(models.map(({ seconds, rate }) => [seconds, rate.passed, rate.not_checked])).toEqual([
      [null, 0, 1],
      [0.005, 1, 0],
    ]);
    const { rows } = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run?.id}/answers`)).json());
    expect(rows[0]?.answers.map(({ ms }) => ms)).toEqual([null, 5]);
  });

  it('reads what a damaged file still says, and refuses the rest', async () => {
    const answer = { model: 'm', text: 'Ho', repeat: 1.5, prompt_tokens: 12.5, completion_tokens: 3e10, ms: 1e300 };
    const read = (given: object) => {
      const head = { form: 'model-studio-evaluation', version: 1, evaluation: { checks: [null] } };
      const row = { messages: [{ role: 'user', content: 'Hi' }], tags: { a: 1 }, answers: [] };
      const lines = [head, row, { ...row, tags: {}, answers: [null, { ...answer, ...given }] }];
      return send({ project_id: PROJECT }, lines.map((line) => JSON.stringify(line)).join('\n'), 'a.jsonl');
    };
    const sent = await read({});
    const { run, problems, evaluation } = evaluationImportSchema.parse(sent.json());
    expect([evaluation.row_count, evaluation.checks, problems]).toEqual([
      1,
      [],
      ['Line 2: It is no row, and was left out.', 'A check is no object, and was left out.'],
    ]);
    const { rows } = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run?.id}/answers`)).json());
    const [own] = rows[0]?.answers.filter(({ model }) => model === 'm') ?? [];
    expect(own).toMatchObject({ text: 'Ho', repeat: 1, prompt_tokens: null, completion_tokens: null, ms: null });
    expect((await read({ model: 'a\0b' })).status).toBe(400);
    const results = JSON.parse(made('promptfooResults.json').toString()) as { results: { results: object[] } };
    results.results.results[0] = { ...results.results.results[0], latencyMs: 1e300 };
    const response = { output: 'a', tokenUsage: { prompt: 12.5, completion: 3e10 } };
    results.results.results[1] = { ...results.results.results[1], response };
    expect((await send({ project_id: PROJECT }, JSON.stringify(results), 'r.json')).status).toBe(201);
  });

  it('gives functions of promptfoo the objects that its outputs were', async () => {
    const assert = [{ type: 'javascript', value: 'output.city === "Paris"' }];
    const toFile = (outputs: readonly unknown[]): string => {
      const results = outputs.map((output, testIdx) => ({
        promptIdx: 0,
        testIdx,
        testCase: { vars: { n: testIdx }, assert },
        vars: { n: testIdx },
        prompt: { raw: `Say ${testIdx}` },
        provider: { id: 'm' },
        response: { output },
      }));
      return JSON.stringify({ results: { version: 3, results } });
    };
    const sent = await send({ project_id: PROJECT }, toFile([{ city: 'Paris' }, { city: 'Rome' }]), 'r.json');
    const { run, problems } = evaluationImportSchema.parse(sent.json());
    expect(problems).toEqual([]);
    const { models } = await room.waitFor(run?.id ?? '', 'completed');
    expect(models[0]?.rate).toMatchObject({ passed: 1, total: 2 });
    const mixed = await send({ project_id: PROJECT }, toFile([{ city: 'Paris' }, 'Rome']), 'r.json');
    expect(evaluationImportSchema.parse(mixed.json()).problems).toEqual([
      'Outputs are texts and objects: own functions get all as texts, objects as JSON.',
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
    const service = await keep(
      openTestService({
        tokens,
        routes: () =>
          toEvaluationRoutes({ database, evaluations: room.evaluations, runs: { listRoots: async () => [] } }),
      }),
    );
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
