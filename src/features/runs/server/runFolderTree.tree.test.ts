import { describe, expect, it } from 'vitest';
import { jobSchema, type JobExperiment } from '#core/contract/job.ts';
import { curveListSchema, runSchema, type RunGrouping } from '#features/runs/shared/runs.ts';
import { projectResponseSchema } from '#core/contract/tree.ts';
import { toEvidence, type RunEvidence } from './evidence.ts';
import { MINUTE, NOW, curve, events, fact, losses, outputs, parameters, sign } from './evidence.fixture.ts';
import { toCurveList, toRun } from './runDetail.ts';
import { toRootId } from './runIdentity.ts';
import { toJob, toJobPlaces, toProjectNode } from './runFolderTree.ts';
import { toModelName } from './runRecords.ts';
import { toTestRecords } from './runRecords.fixture.ts';

const ROOT = { id: toRootId('/data/outputs'), name: 'outputs', isScanning: false };
const NO_MODELS = new Map<string, string>();

const labelsOf = (...evidence: RunEvidence[]): string[] => toTestRecords(ROOT.id, evidence).map(({ label }) => label);

/** The tree as lines, indented by depth. */
function draw(
  node: { label?: string; name?: string; status?: string; children: readonly unknown[] },
  depth = 0,
): string[] {
  const line = `${'  '.repeat(depth)}${node.label ?? node.name}${node.status ? ` (${node.status})` : ''}`;
  return [line, ...node.children.flatMap((child) => draw(child as never, depth + 1))];
}

const started = (folder: string, minutes: number, more: Partial<RunEvidence> = {}): RunEvidence =>
  outputs(folder, { startedAt: NOW + minutes * MINUTE, signs: [sign('finished')], ...more });

describe('the tree of a root', () => {
  it("names the jobs of a tracker's runs by their project or experiment, not by the tracker's folders", () => {
    const tracked = (format: string, folder: string, group: string, at: number): RunEvidence =>
      toEvidence({ format, key: folder, trackerId: folder, folder, group: fact(group), startedAt: NOW + at * MINUTE });
    const records = toTestRecords(ROOT.id, [
      tracked('wandb', 'wandb/run-1-a', 'p1', 0),
      tracked('wandb', 'wandb/run-1-b', 'p2 / sweep s', 1),
      tracked('mlflow-files', 'mlruns/24324/0a1b', 'alpha exp', 2),
      tracked('mlflow-files', 'work/mlruns/24324/9f9f', 'alpha exp', 3),
    ]);
    expect(toJobPlaces(ROOT.id, records).map(({ label }) => label)).toEqual([
      'p1',
      'p2 / sweep s',
      'alpha exp',
      'work / alpha exp',
    ]);
  });

  it('has datasets, jobs by parent folder, and runs in the order of their starts', () => {
    const records = toTestRecords(ROOT.id, [
      started('sweep/lr2', 2, { signs: [sign('failed')] }),
      started('sweep/lr1', 1, { datasets: fact(['/data/chat.jsonl', 'org/set']) }),
      started('other', 3, { signs: [], lastSignAt: NOW }),
      started('sweep/lr3', 0, { signs: [] }),
    ]);
    const project = toProjectNode(ROOT, records, NO_MODELS);
    expect(draw(project)).toEqual([
      'outputs',
      '  chat.jsonl, org/set (completed)',
      '    snapshot not recorded',
      '      sweep (completed)',
      '        lr3 (stopped)',
      '        lr1 (succeeded)',
      '        lr2 (failed)',
      '  data not recorded (completed)',
      '    snapshot not recorded',
      '      outputs (processing)',
      '        other (running)',
    ]);
    expect(projectResponseSchema.safeParse({ project }).error).toBeUndefined();
    expect(project.children[0]?.metadata.datapoints_count).toBeUndefined();
    expect(project.children.map(({ metadata }) => metadata.is_recorded)).toEqual([undefined, false]);
  });

  it('keeps runs of a folder on their own where their data differ', () => {
    const datasetsOf = (...more: RunEvidence[]) =>
      toTestRecords(ROOT.id, [started('s/a', 1, { datasets: fact(['org/a']) }), started('s/b', 2), ...more]).map(
        ({ dataset }) => dataset.label,
      );
    expect(datasetsOf()).toEqual(['org/a', 'org/a']);
    expect(datasetsOf(started('s/c', 3, { datasets: fact(['org/c']) }))).toEqual([
      'org/a',
      'data not recorded',
      'org/c',
    ]);
    expect(datasetsOf(started('t/c', 3), started('top', 4)).slice(2)).toEqual([
      'data not recorded',
      'data not recorded',
    ]);
  });

  it('stays the same when a run comes: ids of jobs, numbers of runs', () => {
    const one = [started('s/a', 1), started('s/b', 2)];
    const before = toProjectNode(ROOT, toTestRecords(ROOT.id, one), NO_MODELS).children[0]?.children[0]?.children[0];
    const after = toProjectNode(ROOT, toTestRecords(ROOT.id, [started('s/0', 3), ...one]), NO_MODELS).children[0]
      ?.children[0]?.children[0];
    expect(after?.id).toBe(before?.id);
    expect(after?.children.slice(0, 2)).toEqual(before?.children);
  });

  it.each<[RunGrouping, string[]]>([
    [{ by: 'folder' }, ['s']],
    [{ by: 'pattern', pattern: 'r{}-' }, ['8', 'other folders']],
    [{ by: 'parameter', parameter: 'lr' }, ['lr 0.1', 'lr not recorded']],
    [{ by: 'parameter', parameter: 'beta' }, ['beta 0.5', 'beta not recorded']],
  ])('groups runs by %j', (grouping, jobs) => {
    const evidence = [
      started('s/r8-a', 1, { parameters: parameters({ learning_rate: 0.1, beta: 0.5 }) }),
      started('s/b', 2),
    ];
    expect(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, evidence, grouping)).map(({ label }) => label)).toEqual(jobs);
  });

  it('names a base model for people, and says nothing where there is none', () => {
    const models = toTestRecords(ROOT.id, [started('a', 1, { baseModel: fact('/root/models/qwen') }), started('b', 2)]);
    const [job] = toProjectNode(ROOT, models, NO_MODELS).children[0]!.children[0]!.children;
    expect(job?.children.map(({ metadata }) => metadata.base_model_id)).toEqual(['qwen', undefined]);
  });
});

describe('labels', () => {
  it('are names that people gave, else folders, with more of the path where they are alike', () => {
    expect(labelsOf(outputs('a/x', { name: fact('my run') }), outputs('a/y'), outputs('b/y'))).toEqual([
      'my run',
      'a/y',
      'b/y',
    ]);
  });

  it('are no default folders, no paths, no control characters, and not long', () => {
    expect(labelsOf(outputs('exp1/out'))).toEqual(['exp1/out']);
    expect(labelsOf(outputs('exp1', { name: fact('./out') }))).toEqual(['exp1']);
    expect(labelsOf(outputs('e', { name: fact('a\u202Eb\u0000c') }))).toEqual(['a b c']);
    expect(labelsOf(outputs('e', { name: fact('x'.repeat(500)) }))[0]).toHaveLength(80);
    expect(labelsOf(outputs(''))).toEqual(['outputs']);
  });

  it('are folders where a sweep has one name', () => {
    const name = fact('sft');
    expect(labelsOf(outputs('sweep/lr-1', { name }), outputs('sweep/lr-2', { name }))).toEqual(['lr-1', 'lr-2']);
  });

  it('are output folders where only a tracker knows the run, whose folder holds others too', () => {
    const tracked = (key: string, name: string | null, outputDir: string) =>
      toEvidence({
        format: 'wandb',
        key,
        folder: `wandb/run-${key}`,
        name: name === null ? null : fact(name),
        outputDir: fact(outputDir),
      });
    expect(
      labelsOf(tracked('1', null, '/data/sft-1'), tracked('2', 'cats', './out'), tracked('3', 'cats', './out')),
    ).toEqual(['sft-1', 'cats', 'cats #2']);
  });

  it('count what is alike in all of its path', () => {
    const run = (name: string, at: number) => events('a', name, curve(losses(10, 60, 10, at), NOW + at * MINUTE));
    expect(labelsOf(run('Aug22', 2), run('Aug23', 9))).toEqual(['a', 'a #2']);
  });

  it.each([
    ['Qwen/Qwen3-0.6B', 'Qwen/Qwen3-0.6B'],
    ['/models/qwen/', 'qwen'],
    ['C:\\models\\qwen', 'qwen'],
    ['/r/.cache/huggingface/hub/models--Qwen--Qwen3-0.6B/snapshots/1', 'Qwen/Qwen3-0.6B'],
    ['./out/checkpoint-5', 'checkpoint-5'],
  ])('of base model %s: %s', (written, name) => expect(toModelName(written)).toBe(name));
});

describe('a job', () => {
  const full = outputs('s/a', {
    startedAt: NOW,
    isAdapter: fact(true),
    method: fact('sft'),
    baseModel: fact('Qwen/Qwen3-0.6B'),
    signs: [sign('failed', 'exit code 1')],
    summary: new Map([['train_runtime', fact(12.5)]]),
    parameters: parameters({
      learning_rate: 2e-4,
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 2,
      num_train_epochs: 0.5,
      seed: 42,
      neftune_noise_alpha: 5,
      status: 'evil',
      training_type: 'evil',
      chat_template: 'x'.repeat(1000),
      odd: Number.NaN,
    }),
    curves: new Map([
      [
        'loss',
        curve([
          [1, 4],
          [10, 3],
          [20, 2],
          [30, 1],
          [40, Number.NaN],
        ]),
      ],
      [
        'eval/loss',
        curve([
          [20, 1.5],
          [40, 1.25],
        ]),
      ],
      ['eval/rewards/accuracies', curve([[40, 0.75]])],
      ['eval/runtime', curve([[40, 9]])],
    ]),
  });

  it('has settings under one name, the trainer’s own beside them, results and losses', () => {
    const job = toJob(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, [full]))[0]!, NO_MODELS);
    const sent: unknown = JSON.parse(JSON.stringify(job));
    expect(jobSchema.safeParse(sent).error).toBeUndefined();
    expect(job.experiments[0]).toMatchObject({
      base_model_id: 'Qwen/Qwen3-0.6B',
      batch_size: 8,
      learning_rate_multiplier: 2e-4,
      n_epochs: 0.5,
      lora: true,
      status: 'failed',
      failure: 'Failed: exit code 1.',
      seconds: 12.5,
      steps: 40,
      seed: 42,
      method: 'sft',
      first_loss: 4,
      neftune_noise_alpha: 5,
      odd: 'NaN',
      held_out: { validation_loss: 1.25, 'rewards/accuracies': 0.75 },
      losses: [1, 10, 20, 30, 40].map((step, at) => ({ step, loss: [4, 3, 2, 1, null][at] })),
    });
    const experiment = job.experiments[0] as JobExperiment & Record<string, unknown>;
    expect(Object.keys(experiment)).not.toContain('training_type');
    expect(Object.keys(experiment)).not.toContain('chat_template');
    // The mean would be of values that are not finite.
    expect(experiment.last_loss).toBeUndefined();
  });

  it('says nothing that is not known', () => {
    const job = toJob(
      toJobPlaces(ROOT.id, toTestRecords(ROOT.id, [toEvidence({ format: 'x', key: 'a', folder: 'a' })]))[0]!,
      NO_MODELS,
    );
    expect(JSON.parse(JSON.stringify(job.experiments[0]))).toEqual({
      id: expect.any(String) as string,
      experiment_number: 1,
      status: 'stopped',
      status_cause: 'lost',
      failure: expect.stringContaining('Stopped without a result') as string,
    });
  });

  it.each([
    ['best before its end', [2, 1, 1.5], { validation_loss: 1.5, best_validation_loss: 1 }],
    ['best at its end', [2, Number.NaN, 1], { validation_loss: 1 }],
  ])('has the lowest validation loss of a run that was %s', (_case, values, measures) => {
    const points = values.map((value, at): [number, number] => [10 * (at + 1), value]);
    const run = outputs('a', { curves: new Map([['eval/loss', curve(points)]]) });
    const job = toJob(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, [run]))[0]!, NO_MODELS);
    expect(job.experiments[0]?.held_out).toEqual(measures);
  });

  it('has the loss of the last 20 steps, and that of the first step only where it was logged', () => {
    const points: [number, number][] = [
      [10, 5],
      [20, 4],
      [30, 3],
      [40, 2],
    ];
    const run = outputs('a', { curves: new Map([['loss', curve(points)]]) });
    const [experiment] = toJob(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, [run]))[0]!, NO_MODELS).experiments;
    expect([experiment?.first_loss, experiment?.last_loss]).toEqual([undefined, 2.5]);
  });

  it.each([
    ['a time', Date.UTC(2026, 10, 28, 14, 2), '2026-11-28T14:02:00.000Z'],
    ['no time', null, undefined],
    ['a number that no date has', 1e20, undefined],
  ])('has the time when its run ended: %s', (_case, endedAt, ended_at) => {
    const [experiment] = toJob(
      toJobPlaces(ROOT.id, toTestRecords(ROOT.id, [started('a', 1, { endedAt })]))[0]!,
      NO_MODELS,
    ).experiments;
    expect(experiment?.ended_at).toBe(ended_at);
  });

  it('shows those settings first in which its runs differ, and bounds them', () => {
    const many = (own: number) =>
      parameters({ ...Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, 1])), zz: own });
    const runs = [started('s/a', 1, { parameters: many(1) }), started('s/b', 2, { parameters: many(2) })];
    const [experiment] = toJob(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, runs))[0]!, NO_MODELS).experiments;
    expect(experiment).toMatchObject({ zz: 1 });
    expect(Object.keys(JSON.parse(JSON.stringify(experiment)) as object).length).toBeLessThan(170);
  });

  it('of a thousand runs stays small', () => {
    const loss = curve(losses(1, 2000, 1));
    const runs = Array.from({ length: 1000 }, (_, at) =>
      started(`s/r${at}`, at, { curves: new Map([['loss', loss]]) }),
    );
    const job = toJob(toJobPlaces(ROOT.id, toTestRecords(ROOT.id, runs))[0]!, NO_MODELS);
    const points = job.experiments.reduce((sum, { losses: own }) => sum + (own?.length ?? 0), 0);
    expect(points).toBeLessThanOrEqual(60_000);
    expect(job.experiments[0]?.losses?.at(-1)?.step).toBe(2000);
  });
});

describe('a run', () => {
  const evidence = [
    outputs('a', { parameters: parameters({ lr: 1, train_batch_size: 2, odd: Infinity }, 'a/README.md') }),
    events(
      'a',
      'Aug22',
      curve(
        [
          [1, 2],
          [2, Number.NaN],
        ],
        NOW,
      ),
      { parameters: parameters({ lr: 2 }) },
    ),
  ];

  it('says of each fact where it was read, and what others say', () => {
    const run = toRun(ROOT.id, toTestRecords(ROOT.id, evidence)[0]!, new Map([['a/checkpoint-100', 'a-step-100']]));
    expect(runSchema.safeParse(run).error).toBeUndefined();
    expect(run.facts.find(({ name }) => name === 'learning_rate')).toEqual({
      name: 'learning_rate',
      value: 2,
      source: { format: 'tensorboard', file: 'config.json', place: null },
      others: [{ value: 1, source: { format: 'hf-trainer', file: 'a/README.md', place: null } }],
    });
    expect(run.facts.find(({ name }) => name === 'batch_rows')?.source.place).toContain('for one device');
    expect(run.parameters.find(({ name }) => name === 'odd')?.value).toBe('Infinity');
    expect(run.metrics).toMatchObject([{ name: 'loss', points: 2, first: 2, last: 'NaN', lowest: 2, last_step: 2 }]);
    expect(run.checkpoints).toMatchObject([{ step: 100, model_id: 'a-step-100' }]);
  });

  it('gives its curves once for a version', () => {
    const records = toTestRecords(ROOT.id, evidence);
    const request = { runs: [records[0]!.id], names: ['loss', 'none'] };
    const list = toCurveList(records, request)!;
    expect(curveListSchema.safeParse(list).error).toBeUndefined();
    expect(list.curves).toMatchObject([
      { name: 'loss', length: 2, steps: [1, 2], values: [2, 'NaN'], times: [NOW, NOW + 1000] },
    ]);
    expect(list.names).toEqual([{ name: 'loss', runs: 1 }]);
    expect(toCurveList(records, { ...request, version: list.version })).toBeNull();
    expect(toCurveList(records, { ...request, from_step: 2, version: list.version })).not.toBeNull();
    const grown = toTestRecords(ROOT.id, [
      evidence[0]!,
      events(
        'a',
        'Aug22',
        curve(
          [
            [1, 2],
            [2, 1],
            [3, 1],
          ],
          NOW,
        ),
      ),
    ]);
    expect(toCurveList(grown, { ...request, version: list.version })?.curves[0]?.length).toBe(3);
  });
});
