import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { read } from '#core/rows/readRow.fixture.ts';
import type { AnswerPage, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { evaluationImportSchema } from '#features/evaluation/shared/contract/evaluationImport.ts';
import {
  EVALUATIONS_PATH,
  keepTestRoom,
  PROJECT,
  RUNS_PATH,
  SNAPSHOT,
} from '#features/evaluation/server/testRoom.fixture.ts';
import { toTunedId } from '#features/training/shared/trainedModelIds.ts';
import { readModelLabels } from './modelLabels.ts';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';

const room = await keepTestRoom();
const rows = [
  {
    messages: [
      { role: 'system', content: 'Shout.' },
      { role: 'user', content: 'One' },
    ],
    expected: 'ONE',
  },
  {
    messages: [{ role: 'user', content: '<script>alert(1)</script>' }],
    expected: '<SCRIPT>ALERT(1)</SCRIPT>',
    tags: { kind: '"><b>' },
  },
  {
    messages: [{ role: 'user', content: '1' }],
    variables: { word: 'one' },
    tools: [{ type: 'function', function: { name: 'count', parameters: { type: 'object' } } }],
    expected: '1',
  },
];
const evaluation = await room.create({
  name: 'Words & more',
  rows,
  baseline: 'lower',
  checks: [
    { id: 'c1', kind: 'exact', name: 'Same <words>' },
    { id: 'c2', kind: 'similarity', counts: false },
  ],
});
const run = await room.waitFor((await room.start(evaluation.id)).id, 'completed');

const get = (path: string, id = run.id) => room.send('GET', `${RUNS_PATH}/${id}/${path}`);
const toLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a run of an evaluation', () => {
  it('is downloaded as rows for DPO, which the studio reads as pairs', async () => {
    const sent = await get('preferences');
    expect(sent.headers['content-disposition']).toBe('attachment; filename="dpo-run-1.jsonl"');
    expect(toLines(sent.text)).toEqual([
      {
        prompt: [
          { role: 'system', content: 'Shout.' },
          { role: 'user', content: 'One' },
        ],
        chosen: [{ role: 'assistant', content: 'ONE' }],
        rejected: [{ role: 'assistant', content: 'one' }],
      },
      {
        prompt: [{ role: 'user', content: '<script>alert(1)</script>' }],
        chosen: [{ role: 'assistant', content: '<SCRIPT>ALERT(1)</SCRIPT>' }],
        rejected: [{ role: 'assistant', content: '<script>alert(1)</script>' }],
      },
    ]);
    for (const row of toLines(sent.text)) expect(read(row, 'preference')).toMatchObject({ ok: true });
  });

  it('has pairs of the models that are asked for', async () => {
    expect((await get('preferences?chosen=lower&rejected=upper')).text).toBe('');
    expect(toLines((await get('preferences?chosen=upper&rejected=lower')).text)).toHaveLength(2);
    expect((await get('preferences?chosen=nobody')).status).toBe(400);
    expect((await get('preferences?form=ppo')).status).toBe(400);
    expect((await get('preferences', UNKNOWN_ID)).status).toBe(404);
  });

  it('is downloaded as answers with a label for KTO, each once', async () => {
    const rows = toLines((await get('preferences?form=kto')).text);
    expect(rows.map(({ completion, label }) => [(completion as { content: string }[])[0]?.content, label])).toEqual([
      ['ONE', true],
      ['one', false],
      ['<SCRIPT>ALERT(1)</SCRIPT>', true],
      ['<script>alert(1)</script>', false],
      ['1', true],
    ]);
  });

  it('is read back from its file with the same rows, answers, baseline and scores, and no model is asked', async () => {
    const file = await get('export');
    const asked = room.engine.asked.length;
    const form = new FormData();
    form.append('project_id', PROJECT);
    form.append('file', new Blob([file.text]), 'run.jsonl');
    const response = new Response(form);
    const sent = await room.service.askSigned(`${EVALUATIONS_PATH}/import`, {
      method: 'POST',
      headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
      body: Buffer.from(await response.arrayBuffer()),
    });
    const imported = evaluationImportSchema.parse(sent.json());
    expect(imported).toMatchObject({
      tool: 'model-studio',
      problems: [],
      evaluation: { name: 'Words & more', row_count: 3 },
    });
    const again = await room.waitFor(imported.run?.id ?? '', 'completed');
    const readAll = async (id: string): Promise<object> => {
      const { baseline, models } = (await get('scores', id)).json() as Scores;
      return { baseline, models, rows: ((await get('answers', id)).json() as AnswerPage).rows };
    };
    expect(await readAll(again.id)).toEqual(await readAll(run.id));
    expect(again.models.map(({ seconds }) => seconds)).toEqual(run.models.map(({ seconds }) => seconds));
    expect(room.engine.asked).toHaveLength(asked);
  });

  it('is one HTML file in which no text of a row is markup', async () => {
    const { text, headers } = await get('export?form=html');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="Words-more-run-1.html"');
    expect(text).not.toMatch(/<script|<b>|https?:/i);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('100.0 % (3 of 3 answers;');
    expect(text).toMatch(/<em>Same &lt;words&gt;: /);
    expect(text).toMatch(/; mean score 1\.00 \(/);
    expect(text.trimEnd()).toMatch(/<\/html>$/);
  });

  it('has in HTML the names of runs, with the ids of their models as titles', async () => {
    const [job, experiment] = [randomUUID(), randomUUID()];
    await room.database.executeSql(
      `insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
       values ($1, $2, 1, 'Sweep', 'completed', false, now())`,
      [job, SNAPSHOT],
    );
    await room.database.executeSql(
      `insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, model_id, lora, n_epochs,
         batch_size, learning_rate_multiplier, created_at)
       values ($1, $2, 1, 'Experiment 1', 'succeeded', 'lower', 'upper', false, 1, 8, 0.001, now())`,
      [experiment, job],
    );
    const name = '<span title="upper">Experiment 1 · Words</span>';
    const { text } = await get('export?form=html');
    expect(text).toContain(`<th scope="row">${name}</th>`);
    expect(text).toContain(`<strong>${name}</strong>`);
    expect(text).toContain('Compared with lower;');
    await room.database.executeSql(
      `insert into studio.notes (node_id, name, tags, is_starred, is_archived, body, revision, updated_at)
       values ($1, 'Best', '[]', false, false, '', 1, now())`,
      [experiment],
    );
    expect((await get('export?form=html')).text).toContain('>Best · Words</span>');
    const labelOf = await readModelLabels(room.database.orm, [toTunedId('lower', experiment, 30, 1), 'lower']);
    expect([toTunedId('lower', experiment, 30, 1), 'lower'].map(labelOf)).toEqual(['Best, step 30', 'lower']);
  });
});
