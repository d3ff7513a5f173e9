// Evaluations over HTTP.
import { describe, expect, it } from 'vitest';
import {
  evaluationSchema,
  evaluationListSchema,
  evaluationRowPageSchema,
  versionListSchema,
} from '#features/evaluation/shared/contract/evaluations.ts';
import {
  answerPageSchema,
  fieldScoresSchema,
  runSchema,
  scoresSchema,
  wholeAnswerSchema,
} from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { DATASET, EVALUATIONS_PATH, keepTestRoom, PROJECT, ROWS, RUNS_PATH, SNAPSHOT } from './testRoom.fixture.ts';

const room = await keepTestRoom();
const { database } = room;

const NEW = { project_id: PROJECT, name: 'Words', source: { kind: 'rows' }, rows: ROWS };

describe('an evaluation', () => {
  it('is made, listed, read, and deleted', async () => {
    const made = await room.send('POST', EVALUATIONS_PATH, { ...NEW, models: ['upper'] });
    expect(made.status).toBe(201);
    const evaluation = evaluationSchema.parse(made.json());
    expect(evaluation).toMatchObject({
      version: 1,
      revision: 1,
      row_count: 2,
      repeats: 1,
      baseline: null,
      settings: {},
      created_by: null,
      tags: { kind: ['number'], size: ['small'] },
      latest_run: null,
    });
    const path = `${EVALUATIONS_PATH}/${evaluation.id}`;
    expect((await room.send('GET', path)).json()).toEqual(evaluation);
    const list = evaluationListSchema.parse(
      (await room.send('GET', `${EVALUATIONS_PATH}?project_id=${PROJECT}`)).json(),
    );
    expect(list.evaluations).toContainEqual(evaluation);
    const page = evaluationRowPageSchema.parse((await room.send('GET', `${path}/rows?offset=1&limit=5`)).json());
    expect(page).toEqual({ version: 1, total: 2, rows: [{ position: 1, ...ROWS[1] }] });
    expect((await room.send('DELETE', path)).status).toBe(204);
    expect((await room.send('GET', path)).json()).toMatchObject({ error: { code: 'evaluation_not_found' } });
  });

  it('takes the rows that a snapshot holds out, and the dataset of it', async () => {
    const made = await room.create({ source: { kind: 'snapshot', snapshot_id: SNAPSHOT }, rows: undefined });
    expect(made).toMatchObject({ dataset_id: DATASET, row_count: 2 });
    const page = (await room.send('GET', `${EVALUATIONS_PATH}/${made.id}/rows`)).json();
    expect(page).toMatchObject({
      rows: [
        { messages: [{ role: 'system', content: 'Shout.' }, { role: 'user' }], expected: 'ONE' },
        { messages: [{ role: 'user', content: 'two' }], expected: 'two' },
      ],
    });
  });

  it('gets a version for other rows, prompt, checks or settings, and none for the rest', async () => {
    const made = await room.create();
    const path = `${EVALUATIONS_PATH}/${made.id}`;
    let revision = 1;
    const change = async (body: object) => {
      const changed = evaluationSchema.parse((await room.send('PUT', path, { revision, ...body })).json());
      revision = changed.revision;
      return changed.version;
    };
    expect(await change({ name: 'Other', models: ['lower'], repeats: 2 })).toBe(1);
    expect(await change({ system: 'Be brief.' })).toBe(2);
    expect(await change({ checks: [{ id: 'has', kind: 'contains' }] })).toBe(3);
    expect(await change({ settings: { temperature: 0.5 } })).toBe(4);
    expect(await change({ source: { kind: 'rows' }, rows: ROWS.slice(0, 1) })).toBe(5);
    const { versions } = versionListSchema.parse((await room.send('GET', `${path}/versions`)).json());
    expect(versions.map(({ version, row_count, changed }) => [version, row_count, changed])).toEqual([
      [5, 1, ['rows']],
      [4, 2, ['settings']],
      [3, 2, ['checks']],
      [2, 2, ['prompt']],
      [1, 2, []],
    ]);
    expect((await room.send('GET', `${path}?version=1`)).json()).toMatchObject({
      version: 1,
      system: null,
      row_count: 2,
    });
    const stale = await room.send('PUT', path, { revision: 1, name: 'Mine' });
    expect(stale.json()).toMatchObject({ error: { code: 'evaluation_changed', current: { revision, name: 'Other' } } });
  });

  it('is the only default of its dataset', async () => {
    const first = await room.create({ dataset_id: DATASET, is_default: true });
    const second = await room.create({ dataset_id: DATASET, is_default: true });
    const read = async ({ id }: { id: string }) => (await room.send('GET', `${EVALUATIONS_PATH}/${id}`)).json();
    expect([await read(first), await read(second)]).toMatchObject([{ is_default: false }, { is_default: true }]);
  });
});

it.each([
  ['no rows', { rows: undefined }, 'rows'],
  ['rows of a source that the studio reads', { source: { kind: 'snapshot', snapshot_id: SNAPSHOT } }, 'rows'],
  [
    'an unknown snapshot',
    { source: { kind: 'snapshot', snapshot_id: UNKNOWN_ID }, rows: undefined },
    'source.snapshot_id',
  ],
  ['an unknown run', { source: { kind: 'run', run_id: UNKNOWN_ID }, rows: undefined }, 'source.run_id'],
  ['an unknown project', { project_id: UNKNOWN_ID }, 'project_id'],
  ['an unknown dataset', { dataset_id: UNKNOWN_ID }, 'dataset_id'],
  ['a row that asks nothing', { rows: [{ expected: 'x' }] }, 'rows[0]'],
  [
    'a row that ends with an answer alone',
    { rows: [{ messages: [{ role: 'assistant', content: 'x' }] }] },
    'rows[0].messages',
  ],
  [
    'a late system message',
    {
      rows: [
        {
          messages: [
            { role: 'user', content: 'x' },
            { role: 'system', content: 'y' },
            { role: 'user', content: 'x' },
          ],
        },
      ],
    },
    'rows[0].messages[1].role',
  ],
  [
    'tools of one name',
    { rows: [{ ...ROWS[0], tools: [1, 2].map(() => ({ type: 'function', function: { name: 'a' } })) }] },
    'rows[0].tools[1].function.name',
  ],
  ['variables without a prompt', { rows: [{ variables: { a: 'b' } }] }, 'prompt'],
  ['a model twice', { models: ['a', 'b', 'a'] }, 'models[2]'],
  ['a baseline that is no model', { models: ['a'], baseline: 'b' }, 'baseline'],
  ['a default of no dataset', { is_default: true }, 'dataset_id'],
  [
    'two checks of one id',
    {
      checks: [
        { id: 'a', kind: 'exact' },
        { id: 'a', kind: 'contains' },
      ],
    },
    'checks[1].id',
  ],
  ['a pattern that is none', { checks: [{ id: 'a', kind: 'regex', expected: '(' }] }, 'checks[0]'],
  ['a field of another kind', { checks: [{ id: 'a', kind: 'exact', tolerance: 1 }] }, 'checks[0]'],
  ['a check of an unknown kind', { checks: [{ id: 'a', kind: 'taste' }] }, 'checks[0].kind'],
  ['a setting out of its range', { settings: { temperature: 3 } }, 'settings.temperature'],
  ['a message in the settings', { settings: { messages: [] } }, 'settings'],
  ['no repeat', { repeats: 0 }, 'repeats'],
  ['too many repeats', { repeats: 11 }, 'repeats'],
  ['a blank name', { name: ' ' }, 'name'],
  ['a name with a NUL', { name: 'a\0' }, 'name'],
  ['half of a character in a tag', { rows: [{ ...ROWS[0], tags: { a: '\uD800' } }] }, 'rows[0].tags.a'],
])('%s is refused with the field at fault', async (_, more, param) => {
  const answer = await room.send('POST', EVALUATIONS_PATH, { ...NEW, ...more });
  expect(answer.json()).toMatchObject({ error: { param } });
  expect([400, 404]).toContain(answer.status);
});

describe('a run', () => {
  let shown: string | null = null;

  it('asks each model for each row, judges the answers, and says what it cost', async () => {
    const { id } = await room.create();
    const { id: runId, ...queued } = await room.start(id);
    expect(queued).toMatchObject({ number: 1, version: 1, answers: 4, baseline: 'upper' });
    const run = runSchema.parse(await room.waitFor(runId, 'completed'));
    expect(run).toMatchObject({ done: 4, failed: 0, judged: 4, reason: null });
    expect(run.models).toMatchObject([
      {
        model: 'upper',
        done: 2,
        prompt_tokens: 14,
        completion_tokens: 6,
        fingerprints: ['fp_upper'],
        rate: { passed: 1, total: 2, rate: 0.5 },
      },
      { model: 'lower', done: 2, rate: { passed: 1, total: 2 } },
    ]);
    const page = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/answers`)).json());
    expect(
      page.rows.map(({ position, answers }) => [
        position,
        answers.map(({ model, text, outcome }) => [model, text, outcome]),
      ]),
    ).toEqual([
      [
        0,
        [
          ['upper', 'ONE', 'pass'],
          ['lower', 'one', 'fail'],
        ],
      ],
      [
        1,
        [
          ['upper', 'TWO', 'fail'],
          ['lower', 'two', 'pass'],
        ],
      ],
    ]);
    const whole = wholeAnswerSchema.parse(
      (await room.send('GET', `${RUNS_PATH}/${runId}/answers/1?model=lower`)).json(),
    );
    expect(whole.request).toEqual({ model: 'lower', messages: ROWS[1]?.messages, temperature: 0 });
    const [stored] = (
      await database.executeSql(
        `select encode(request_hash, 'hex') as hash from studio.evaluation_answers where run_id = $1 and model = 1 and position = 1`,
        [runId],
      )
    ).rows as { hash: string }[];
    expect(whole.request_hash).toBe(stored?.hash);
    const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/scores`)).json());
    expect(scores.models[1]).toMatchObject({
      model: 'lower',
      rate: { passed: 1, total: 2 },
      difference: { rows: 2, improved: 1, regressed: 1, p: 1, adjusted_p: 1, verdict: 'undecided' },
      by_check: [{ scorer: 'same', rate: { passed: 1 } }],
      by_tag: [
        { tag: 'kind', value: 'number', rate: { passed: 1, total: 2 } },
        { tag: 'size', value: 'small', rate: { passed: 1, total: 1 } },
      ],
    });
  });

  it.each([
    ['outcome=fail&model=upper', [1]],
    ['outcome=pass&model=upper&scorer=same', [0]],
    ['outcome=differ', [0, 1]],
    ['outcome=error', []],
    ['change=regressed', [0]],
    ['change=changed', [0, 1]],
    ['change=improved&model=lower', [1]],
    ['tag=size', [1]],
    ['tag=size&value=big', []],
    ['search=TWO', [1]],
    ['limit=1', [0]],
    ['offset=1', [1]],
  ])('shows the rows of %s', async (query, positions) => {
    shown ??= (await room.start((await room.create()).id)).id;
    const runId = shown;
    await room.waitFor(runId, 'completed');
    const page = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/answers?${query}`)).json());
    expect(page.rows.map(({ position }) => position)).toEqual(positions);
  });

  it('fills variables into the prompt, and repeats with a seed of its own each time', async () => {
    const { id } = await room.create({
      rows: [{ variables: { word: 'sea', tone: 'calm' } }],
      prompt: 'Say {{word}}',
      system: 'Be {{tone}}.',
      settings: { temperature: 0.5 },
      checks: [],
    });
    const { id: runId } = await room.start(id, { models: ['seeded'], repeats: 3 });
    await room.waitFor(runId, 'completed');
    const page = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/answers`)).json());
    expect(page.rows[0]?.answers.map(({ repeat, text }) => [repeat, text])).toEqual([
      [1, 'Say sea 1 0.5'],
      [2, 'Say sea 2 0.5'],
      [3, 'Say sea 3 0.5'],
    ]);
    const whole = wholeAnswerSchema.parse(
      (await room.send('GET', `${RUNS_PATH}/${runId}/answers/0?model=seeded&repeat=2`)).json(),
    );
    expect(whole.request?.messages[0]).toEqual({ role: 'system', content: 'Be calm.' });
  });

  it('judges by new checks without asking again, and keeps what it was started with', async () => {
    const { id, revision } = await room.create();
    const { id: runId } = await room.start(id);
    await room.waitFor(runId, 'completed');
    const asked = room.engine.asked.length;
    await room.send('PUT', `${EVALUATIONS_PATH}/${id}`, {
      revision,
      system: 'New.',
      checks: [
        { id: 'same', kind: 'exact', is_case_sensitive: false },
        { id: 'long', kind: 'regex', expected: '.{4}', counts: false },
      ],
    });
    expect((await room.send('POST', `${RUNS_PATH}/${runId}/rescore`)).status).toBe(200);
    const run = await room.waitFor(runId, 'completed');
    expect(run).toMatchObject({
      version: 1,
      checks_version: 2,
      models: [{ rate: { passed: 2 } }, { rate: { passed: 2 } }],
    });
    expect(room.engine.asked.length).toBe(asked);
    const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/scores`)).json());
    expect(scores.models[0]?.by_check.map(({ scorer, rate }) => [scorer, rate.passed])).toEqual([
      ['same', 2],
      ['long', 0],
    ]);
    const whole = wholeAnswerSchema.parse(
      (await room.send('GET', `${RUNS_PATH}/${runId}/answers/0?model=upper`)).json(),
    );
    expect(whole.request?.messages).toEqual(ROWS[0]?.messages);
  });

  it('says of each field how often it is right, and what its values are taken for', async () => {
    const toRow = (label: string) => ({
      messages: [{ role: 'user', content: `{"label": ${label}}` }],
      expected: '{"label": "a"}',
    });
    const checks = [
      { id: 'fields', kind: 'json-fields' },
      { id: 'same', kind: 'exact' },
    ];
    const rows = ['"a"', '"a"', '"b"', '['.repeat(2e4) + ']'.repeat(2e4)].map(toRow);
    const run = await room.start((await room.create({ rows, models: ['copy'], checks })).id);
    await room.waitFor(run.id, 'completed');
    const read = (scorer: string, model = 'copy') =>
      room.send('GET', `${RUNS_PATH}/${run.id}/fields?model=${model}&scorer=${scorer}`);
    expect(fieldScoresSchema.parse((await read('fields')).json()).fields).toMatchObject([
      { name: 'label', passed: 2, total: 3, confusion: { values: ['"a"'], counts: [[2, 1, 0]] } },
    ]);
    expect((await read('same')).json()).toMatchObject({ error: { param: 'scorer' } });
    expect((await read('fields', 'lower')).json()).toMatchObject({ error: { param: 'model' } });
  });

  it('judges by an own function', async () => {
    const { id } = await room.create({
      checks: [
        { id: 'same', kind: 'exact' },
        { id: 'own', kind: 'function', expected: '(answer, expected) => ({ score: answer === expected ? 1 : 0.25 })' },
      ],
    });
    const { id: runId } = await room.start(id);
    await room.waitFor(runId, 'completed');
    const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${runId}/scores`)).json());
    expect(scores.models[0]?.by_check.map(({ scorer, rate }) => [scorer, rate.passed])).toEqual([
      ['same', 1],
      ['own', 1],
    ]);
  });

  it('gives its failures as the rows of another evaluation', async () => {
    const { id } = await room.create();
    const { id: runId } = await room.start(id);
    await room.waitFor(runId, 'completed');
    const made = await room.create({ source: { kind: 'run', run_id: runId, model: 'upper' }, rows: undefined });
    expect((await room.send('GET', `${EVALUATIONS_PATH}/${made.id}/rows`)).json()).toMatchObject({
      total: 1,
      rows: [{ ...ROWS[1], position: 0 }],
    });
  });

  it.each([
    ['no model', {}, { models: [] }, 'no_models'],
    ['a model twice', { models: ['upper', 'upper'] }, {}, 'invalid_request'],
    ['an unknown field', { rows: 1 }, {}, 'invalid_request'],
  ])('with %s is refused', async (_, body, more, code) => {
    const { id } = await room.create(more);
    const answer = await room.send('POST', `${EVALUATIONS_PATH}/${id}/runs`, body);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code } }]);
  });

  it('is deleted with its evaluation while it goes on', async () => {
    room.engine.delayMs = 50;
    const { id } = await room.create();
    const { id: runId } = await room.start(id);
    await room.waitFor(runId, 'running');
    expect((await room.send('DELETE', `${EVALUATIONS_PATH}/${id}`)).status).toBe(204);
    expect((await room.send('GET', `${RUNS_PATH}/${runId}`)).status).toBe(404);
    room.engine.delayMs = 0;
    const { id: next } = await room.start((await room.create()).id);
    await room.waitFor(next, 'completed');
  });
});
