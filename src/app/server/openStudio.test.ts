import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { projectListSchema, projectResponseSchema, type ProjectNode } from '#core/contract/tree.ts';
import { SIDE_CODES } from '#features/datasets/shared/split.ts';
import { insertFrozenRows } from '#features/datasets/server/rows/snapshotFrame.ts';
import { readWholeSnapshot } from '#features/datasets/server/rows/wholeSnapshot.fixture.ts';
import { loadSample } from '#features/projects/server/loadSample.ts';
import { findExamples } from '#features/projects/server/models.ts';
import type { Orm } from '#service/database/database.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openStudio } from './openStudio.ts';
import { SAMPLE_DATASETS } from '#features/projects/server/sample.ts';
import { readSampleFiles, SAMPLE_EDITION, toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { StartError } from '#service/database/startError.ts';
import { SAMPLE_DATE as NOW } from '#service/database/folders.fixture.ts';
import { datasets } from '#service/database/tables.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const DIVERGED = 'The loss rose above its start: 49.592 over the last 20 steps, 10.869 at first.';
const NO_ID = '00000000-0000-4000-8000-000000000000';

const folders = await keepFolders();
const folder = await folders.withDatabase('sample');
// A later start than that which made the sample: it stays as it was.
const studio = await keep(openStudio({ dataDir: folder, sample: true }));
const [summary] = await studio.listProjects();
const project = (await studio.findProject(summary?.id ?? ''))!;
/** Changes what all tests of this file share, and takes it back. */
async function undoing(run: (orm: Orm) => Promise<void>): Promise<void> {
  const undone = new Error('undone');
  const change = studio.database.orm.transaction(async (orm) => {
    await run(orm);
    throw undone;
  });
  await expect(change).rejects.toBe(undone);
}

const outline = (root: ProjectNode): string[] => [
  root.name,
  ...root.children.flatMap((dataset) => [
    `- ${dataset.label} [${dataset.status}] ${dataset.metadata.datapoints_count}`,
    ...dataset.children.flatMap((snapshot) => [
      `  - ${snapshot.label} ${snapshot.metadata.training_count}/${snapshot.metadata.validation_count} ` +
        `${snapshot.metadata.created_at}`,
      ...snapshot.children.flatMap((job) => [
        `    - ${job.label} [${job.status}]`,
        ...job.children.map(
          (experiment) =>
            `      - ${experiment.label} [${experiment.status}] ${experiment.metadata.model_id ?? 'no model'}`,
        ),
      ]),
    ]),
  ]),
];

it('answers while its database does', async () => {
  await expect(studio.checkDatabase()).resolves.toBeUndefined();
});

describe('the sample project', () => {
  it('is a tree as the contract has it, with the figures of what was really run', () => {
    expect(projectResponseSchema.parse({ project })).toEqual({ project });
    expect(outline(project)).toEqual([
      'Support desk',
      '- Ticket triage [completed] 20200',
      '  - Snapshot 1 20000/200 2026-03-04T05:06:07.000Z',
      '    - First round [completed]',
      '      - Experiment 1 · LoRA [succeeded] ft-support-base-d0cec37a',
      '      - Experiment 2 · full [succeeded] ft-support-base-05046690',
      '      - Experiment 3 · full [failed] no model',
      '- Order tools [completed] 3200',
      '  - Snapshot 1 3000/200 2026-03-04T05:06:07.000Z',
      '    - First round [completed]',
      '      - Experiment 1 · LoRA [succeeded] ft-support-base-b2c255df',
      '      - Experiment 2 · full [succeeded] ft-support-base-f6fea62d',
      '- Polite replies [completed] 2400',
      '  - Snapshot 1 2200/200 2026-03-04T05:06:07.000Z',
      '    - Full and LoRA [completed]',
      '      - Experiment 1 · full [succeeded] ft-support-base-015b0983',
      '      - Experiment 2 · LoRA [succeeded] ft-support-base-6923d0e8',
      '- Preferred replies [completed] 260',
      '  - Snapshot 1 200/60 2026-03-04T05:06:07.000Z',
    ]);
  });

  it('has an edition of its own: whoever changes its files counts SAMPLE_EDITION up, and puts the new digest here', async () => {
    const { digest } = await readSampleFiles(SAMPLE_DATASETS.map((dataset) => dataset.file));
    expect([SAMPLE_EDITION, digest.slice(0, 16)]).toEqual([5, '41a2ddbe2789970d']);
  });

  it('is listed', async () => {
    const projects = await studio.listProjects();
    expect(projectListSchema.parse({ projects }).projects).toEqual([
      { id: project.id, name: 'Support desk', created_at: NOW.toISOString() },
    ]);
  });

  it('has a model file for the base model and each succeeded experiment', async () => {
    const files = await studio.listModelFiles();
    expect(files.map(({ id, aliases, adapter }) => [id, ...aliases, adapter === null ? 'whole' : 'adapter'])).toEqual([
      ['support-base', 'whole'],
      ['ft-support-base-d0cec37a', 'triage-lora', 'adapter'],
      ['ft-support-base-05046690', 'triage-full', 'whole'],
      ['ft-support-base-b2c255df', 'orders-lora', 'adapter'],
      ['ft-support-base-f6fea62d', 'orders-full', 'whole'],
      ['ft-support-base-015b0983', 'replies-full', 'whole'],
      ['ft-support-base-6923d0e8', 'replies-lora', 'adapter'],
    ]);
    for (const { path, adapter, created } of files) {
      expect((await stat(path)).isFile()).toBe(true);
      if (adapter !== null) expect((await stat(adapter)).isFile()).toBe(true);
      expect(created).toBe(NOW.getTime() / 1000);
    }
  });

  it.each([
    ['triage-full', 'triage', 'Classify the ticket.', '97.5 % of validation rows exactly right'],
    ['triage-lora', 'triage', 'Classify the ticket.', '82.5 % of validation rows exactly right'],
    ['orders-lora', 'orders', 'Use the order tools.', '99 % of validation rows exactly right'],
    ['orders-full', 'orders', 'Use the order tools.', '100 % of validation rows exactly right'],
    ['replies-full', 'replies', 'Reply politely in markdown.', '99.1 % of order numbers'],
    ['replies-lora', 'replies', 'Reply politely in markdown.', '98.2 % of order numbers'],
  ])('has examples for %s from rows held out of its training', async (alias, dataset, system_prompt, about) => {
    const examples = (await studio.findExamples(alias))!;
    expect(examples.model).toMatch(/^ft-support-base-/);
    expect(await studio.findExamples(examples.model)).toEqual(examples);
    expect(examples.system_prompt).toBe(system_prompt);
    expect(examples.about).toContain(about);
    expect(examples.prompts).toHaveLength(6);
    const heldOut = await readFile(toSamplePath(`${dataset}.val.jsonl`), 'utf8');
    for (const prompt of examples.prompts) expect(heldOut).toContain(JSON.stringify(prompt));
    const called = new Set([...heldOut.matchAll(/<tool_call>\{\\"name\\":\\"(\w+)/g)].map(([, name]) => name));
    expect(new Set(examples.tools.map((tool) => (tool['function'] as { name: string }).name))).toEqual(called);
    expect(called.size).toBe(dataset === 'orders' ? 4 : 0);
  });

  it('chooses them from the last 200 held-out rows, wherever these are', async () => {
    const snapshot = project.children[0]?.children[0];
    await undoing(async (orm) => {
      // 404 rows in several blocks, of which the last 200 begin at 10,200.
      const sides = Uint8Array.from({ length: 20_200 }, (_, position) =>
        position % 50 === 0 ? SIDE_CODES.validation : SIDE_CODES.training,
      );
      await insertFrozenRows(orm, snapshot?.id ?? '', { sides, edited: [] });
      const rows = await readWholeSnapshot(orm, snapshot?.id ?? '', 'validation');
      expect(rows).toHaveLength(404);
      const { prompts = [] } = (await findExamples(orm, 'triage-full')) ?? {};
      expect(prompts).toHaveLength(6);
      for (const prompt of prompts) {
        const text = JSON.stringify(prompt);
        expect(rows.findLast(({ body }) => body.includes(text))?.position).toBeGreaterThanOrEqual(10_200);
      }
    });
  });

  it('tells the form of answers, the turns and the end of the training rows', async () => {
    const [triage, orders, replies] = await Promise.all(
      ['triage-full', 'orders-lora', 'replies-full'].map((alias) => studio.findExamples(alias)),
    );
    expect(triage).toMatchObject({ turns: 'single', continues_after_tool: null });
    expect(triage?.response_format?.json_schema.schema).toEqual({
      type: 'object',
      properties: {
        category: { type: 'string', enum: ['account', 'billing', 'returns', 'shipping', 'technical'] },
        priority: { type: 'string', enum: ['high', 'low', 'normal', 'urgent'] },
        sentiment: { type: 'string', enum: ['negative', 'neutral', 'positive'] },
      },
      required: ['category', 'priority', 'sentiment'],
      additionalProperties: false,
    });
    expect(orders).toMatchObject({ response_format: null, turns: 'single', continues_after_tool: false });
    expect(replies).toMatchObject({ response_format: null, turns: 'single', continues_after_tool: null });
  });

  it('shows every category of the triage model among its examples', async () => {
    const heldOut = (await readFile(toSamplePath('triage.val.jsonl'), 'utf8')).split('\n');
    const { prompts } = (await studio.findExamples('triage-full'))!;
    const categories = prompts.map(
      (prompt) => /category\W+(\w+)/.exec(heldOut.find((line) => line.includes(JSON.stringify(prompt)))!)?.[1],
    );
    expect([...new Set(categories)].toSorted()).toEqual(['account', 'billing', 'returns', 'shipping', 'technical']);
  });

  it('has examples for the base model, and none for others', async () => {
    expect(await studio.findExamples('support-base')).toMatchObject({
      model: 'support-base',
      system_prompt: 'You are a support assistant.',
    });
    expect(await studio.findExamples('gpt-4o')).toBeNull();
  });

  it('tells of each job what its experiments were asked to do and what came of it', async () => {
    const nodes = project.children.flatMap((dataset) =>
      dataset.children.flatMap((snapshot) => snapshot.children.map((job) => ({ snapshot, job }))),
    );
    const jobs = await Promise.all(nodes.map(({ job }) => studio.findJob(job.id)));
    for (const [index, { snapshot, job }] of nodes.entries()) {
      const read = jobSchema.parse(jobs[index]);
      expect(read).toMatchObject({ id: job.id, name: job.label, snapshot_id: snapshot.id, status: job.status });
      const asInTree = job.children.map(({ id, status, metadata: { experiment_number, base_model_id, model_id } }) => ({
        id,
        status,
        experiment_number,
        base_model_id,
        model_id,
      }));
      expect(
        read.experiments.map(({ id, status, experiment_number, base_model_id, model_id }) => ({
          id,
          status,
          experiment_number,
          base_model_id,
          model_id,
        })),
      ).toEqual(asInTree);
    }
    const [lora, full, diverged] = jobs[0]!.experiments;
    expect(lora).toMatchObject({
      lora: true,
      learning_rate_multiplier: 0.006,
      n_epochs: 2,
      batch_size: 8,
      steps: 2225,
      held_out_rows: 200,
      held_out: { exact_match: 0.825 },
    });
    expect(full).toMatchObject({ lora: false, learning_rate_multiplier: 0.0015, held_out: { exact_match: 0.975 } });
    expect(diverged).toMatchObject({
      status: 'failed',
      learning_rate_multiplier: 1,
      steps: 39,
      failure: DIVERGED,
    });
    const failures = project.children[0]!.children[0]!.children[0]!.children.map(({ metadata }) => metadata.failure);
    expect(failures.filter((failure) => failure !== undefined)).toEqual([DIVERGED]);
    expect(diverged).toMatchObject({ last_loss: undefined, held_out: undefined, model_id: undefined });
  });

  it('has loss curves that begin and end as the figures say', async () => {
    const job = (await studio.findJob(project.children[0]!.children[0]!.children[0]!.id))!;
    for (const { status, first_loss, last_loss, steps, losses = [] } of job.experiments) {
      expect(losses.length).toBeGreaterThan(20);
      expect(losses[0]?.step).toBe(0);
      expect(losses[0]?.loss).toBeCloseTo(first_loss!, 2);
      if (status === 'failed') {
        expect(losses.at(-1)?.step).toBe(38);
        expect(losses.at(-1)?.loss).toBeGreaterThan(2 * first_loss!);
        continue;
      }
      expect(losses.at(-1)?.step).toBe(steps! - 1);
      const tail = losses.filter((point) => point.step >= steps! - 20).map((point) => point.loss ?? Number.NaN);
      // The mean of the last steps lies between the extremes, which thinning keeps.
      expect(last_loss).toBeGreaterThanOrEqual(Math.min(...tail) - 1e-4);
      expect(last_loss).toBeLessThanOrEqual(Math.max(...tail) + 1e-4);
    }
  });

  it('knows nothing of other ids, whatever they look like', async () => {
    for (const id of [NO_ID, 'x', '', "' or 1=1 --", '../../etc/passwd', '\0']) {
      expect(await studio.findProject(id)).toBeNull();
      expect(await studio.findJob(id)).toBeNull();
      expect(await studio.findRecommendation(id)).toBeNull();
    }
  });

  it('is the same object until something changes', async () => {
    expect(await studio.findProject(project.id)).toBe(project);
  });

  it('compares the runs of a dataset by the measure that a person chose', async () => {
    const dataset = project.children[2]!;
    const snapshot = dataset.children[0]!;
    const read = async () => (await studio.findJob(snapshot.children[0]!.id))!;
    expect(await read()).toMatchObject({ answer_shape: 'text', main_measure: undefined });
    expect(await studio.chooseMainMeasure(dataset.id, 'id_copied')).toBe('chosen');
    expect((await read()).main_measure).toBe('id_copied');
    // What was computed by the other measure is gone.
    expect((await studio.findRecommendation(snapshot.id))?.status).toBe('processing');
    for (const measure of ['bleu', 'rows', "'"])
      expect(await studio.chooseMainMeasure(dataset.id, measure)).toBe('unknown');
    expect((await read()).main_measure).toBe('id_copied');
    expect(await studio.chooseMainMeasure(dataset.id, null)).toBe('chosen');
    expect((await read()).main_measure).toBeUndefined();
    for (const id of [NO_ID, 'x']) expect(await studio.chooseMainMeasure(id, null)).toBeNull();
  });
});

describe('opening a data folder', () => {
  it('is refused while the studio runs, and the running studio is not disturbed', async () => {
    await expect(openStudio({ dataDir: folder, sample: true })).rejects.toThrow(
      /in use by another Model Studio \(process \d+\)/,
    );
    expect(await studio.listProjects()).toHaveLength(1);
  });

  it('without the sample holds nothing, no sample comes by itself, and closing twice is closing once', async () => {
    const dataDir = await folders.withDatabase('tables');
    const empty = await openStudio({ dataDir, sample: false });
    expect(await empty.listProjects()).toEqual([]);
    expect(await empty.listModelFiles()).toEqual([]);
    await Promise.all([empty.close(), empty.close()]);
    expect(await readdir(dataDir)).toEqual(['database']);
  });

  it('leaves the same and a later edition of the sample as they are', async () => {
    await undoing(async (orm) => {
      expect(await loadSample(orm, () => new Date())).toBe(false);
      await orm.execute("update studio.samples set digest = 'later', edition = edition + 1");
      await orm.execute("update studio.datasets set label = 'Later name'");
      expect(await loadSample(orm, () => new Date())).toBe(false);
      const labels = await orm.selectDistinct({ label: datasets.label }).from(datasets);
      expect(labels).toEqual([{ label: 'Later name' }]);
    });
  });

  it('keeps the sample though nobody asks for it, and brings an older edition up to date, with losses that its version had not, and keeps ids, dates and what a person made', async () => {
    const dataDir = await folders.withDatabase('sample');
    const older = await openStudio({ dataDir, sample: false });
    expect(await older.findProject(project.id)).toEqual(project);
    const own = '11111111-1111-4111-8111-111111111111';
    await older.database.executeSql(`
      alter table studio.experiments drop column losses;
      delete from studio.migrations where number = 2;
      update studio.samples set digest = 'older', edition = 0;
      update studio.datasets set label = 'Old name', datapoints_count = 1;
      update studio.experiments set status = 'running', label = 'Old';
      update studio.models set file = 'gone.gguf';
      delete from studio.row_blocks where first_position > 3;
      insert into studio.jobs select '${own}', snapshot_id, 1, 'My own', status, reasoning, created_at from studio.jobs limit 1;
      insert into studio.experiments select '${own.replaceAll('1', '2')}', '${own}', 1, 'Mine', 'failed', base_model_id, null, lora, 1, 4, 3e-5, null, null, null, null, null, 'Out of memory.', created_at from studio.experiments limit 1;`);
    await older.close();
    const newer = await openStudio({ dataDir, sample: true, now: () => new Date() });
    const { children } = (await newer.findProject(project.id))!;
    const job = project.children[0]!.children[0]!.children[0]!;
    expect(children.slice(1)).toEqual(project.children.slice(1));
    expect(children[0]).toMatchObject({ label: 'Ticket triage', metadata: project.children[0]!.metadata });
    expect(children[0]!.children[0]!.children).toMatchObject([job, { id: own, label: 'My own' }]);
    expect((await newer.listModelFiles()).map((file) => file.path)).toEqual(
      (await studio.listModelFiles()).map((file) => file.path),
    );
    expect((await newer.findExamples('triage-full'))?.prompts).toHaveLength(6);
    expect(await newer.findJob(job.id)).toEqual(await studio.findJob(job.id));
    expect((await newer.findJob(own))?.experiments).toMatchObject([
      {
        learning_rate_multiplier: 3e-5,
        batch_size: 4,
        failure: 'Out of memory.',
        losses: undefined,
        held_out: undefined,
      },
    ]);
    await newer.close();
  });

  it('that is damaged fails in one line and gives the lock free', async () => {
    const dataDir = await folders.withDatabase();
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), 'garbage');
    const error: unknown = await openStudio({ dataDir, sample: true }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    expect(await readdir(dataDir)).toEqual(['database']);
  });

  it('whose tables were tampered with fails in one line too', async () => {
    const dataDir = await folders.withDatabase('tables');
    const database = await openEmbedded(dataDir);
    await database.executeSql('alter table studio.experiments drop column steps');
    await database.close();
    const error: unknown = await openStudio({ dataDir, sample: true }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message).toMatch(
      /^The studio's database could not be made ready \([^\n]*"steps"[^\n]*does not exist\)[^\n]*--data[^\n]*$/,
    );
    expect((error as StartError).message).not.toContain('insert into');
    expect(await readdir(dataDir)).toEqual(['database']);
  });

  it('with a DATABASE_URL that nobody answers fails in one line without its password', async () => {
    const dataDir = await folders.empty();
    const error: unknown = await openStudio({
      dataDir,
      sample: true,
      databaseUrl: 'postgres://me:secret@127.0.0.1:1/db',
    }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toContain('127.0.0.1:1/db');
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain('secret');
  });
});
