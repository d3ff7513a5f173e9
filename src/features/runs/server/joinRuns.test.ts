import { describe, expect, it } from 'vitest';
import { toEvidence, type RunEvidence } from './evidence.ts';
import { curve, events, fact, losses, MINUTE, NOW, outputs, parameters, sign } from './evidence.fixture.ts';
import type { JoinedRun } from './joinedRun.ts';
import { joinRuns, RunJoiner } from './joinRuns.ts';

const ROOT = '/data/outputs';
const join = (evidence: readonly RunEvidence[]): readonly JoinedRun[] => joinRuns(evidence, ROOT);
const toText = (runs: readonly JoinedRun[]): string[] =>
  runs.map((run) => `${run.folder}: ${run.formats.toSorted().join(' ')} x${run.parts.length}`).toSorted();

function tracked(format: string, key: string, more: Partial<RunEvidence> = {}): RunEvidence {
  return toEvidence({ format, key, trackerId: key, folder: '', ...more });
}

describe('one run, several formats', () => {
  it('joins the event files below an output folder to it', () => {
    const runs = join([outputs('a'), events('a', 'Aug22', curve(losses(10, 100, 10))), outputs('b')]);
    expect(toText(runs)).toEqual(['a: hf-trainer tensorboard x1', 'b: hf-trainer x1']);
  });

  it('joins a tracker by the output folder as written, never to a folder outside', () => {
    const to = (path: string) => tracked('wandb', `id-${path}`, { outputDir: fact(path) });
    expect(toText(join([outputs('sweep/lr1'), outputs('sweep/lr2'), to('/users/me/sweep/lr2')]))).toEqual([
      'sweep/lr1: hf-trainer x1',
      'sweep/lr2: hf-trainer wandb x1',
    ]);
    expect(toText(join([outputs('lr1'), to('../lr1'), to('/elsewhere/other')]))).toEqual([
      ': wandb x1',
      ': wandb x1',
      'lr1: hf-trainer x1',
    ]);
  });

  it('joins the event files of a search to the folders of its trials, by their values', () => {
    // transformers: events of all trials in <output_dir>/runs, outputs in <output_dir>/run-<trial>.
    const loss = (start: number) => curve(losses(10, 100, 10, start));
    const trial = (folder: string, start: number) => outputs(folder, { curves: new Map([['loss', loss(start)]]) });
    const logged = (name: string, start: number) => events('sft', name, loss(start), { folder: 'sft' });
    const trials = [trial('sft/run-0', 2), trial('sft/run-1', 3)];
    const all = [...trials, logged('Aug22', 2), logged('Aug23', 3)];
    const joined = ['sft/run-0: hf-trainer tensorboard x1', 'sft/run-1: hf-trainer tensorboard x1'];
    expect(toText(join(all))).toEqual(joined);
    // A model that was trained after the search, in the folder itself; and a trial that saved nothing.
    const later = [trial('sft', 4), logged('Aug24', 4), logged('Aug25', 5)];
    expect(toText(join([...all, ...later]))).toEqual(
      [...joined, 'sft: hf-trainer tensorboard x1', 'sft: tensorboard x1'].toSorted(),
    );
  });

  it('keeps runs of two databases apart that count the same id, unless they have one name', () => {
    const named = (format: string, key: string, name: string) =>
      tracked(format, key, { trackerId: 'r1', name: fact(name) });
    const text = toText(join([named('trackio', 'a', 'first'), named('trackio', 'b', 'other')]));
    expect(text).toEqual([': trackio x1', ': trackio x1']);
    expect(toText(join([named('trackio', 'a', 'first'), named('trackio', 'b', 'first')]))).toEqual([': trackio x2']);
    expect(toText(join([named('wandb', 'a', 'first'), named('wandb', 'b', 'other')]))).toEqual([': wandb x2']);
  });

  it('takes no side where two folders could be meant', () => {
    const runs = join([outputs('x/out'), outputs('y/out'), tracked('wandb', 'w', { outputDir: fact('./out') })]);
    expect(toText(runs)).toEqual([': wandb x1', 'x/out: hf-trainer x1', 'y/out: hf-trainer x1']);
  });

  it('believes the place of event files before the folder that they name', () => {
    const moved = events('copies/a', 'Aug22', curve([[1, 1]]), { outputDir: fact('/x/a'), folder: 'copies/a' });
    expect(toText(join([outputs('a'), outputs('copies/a'), moved]))).toEqual([
      'a: hf-trainer x1',
      'copies/a: hf-trainer tensorboard x1',
    ]);
  });

  it('leaves event files where they are if only the last part of another folder is alike', () => {
    const elsewhere = events('b', 'Aug22', curve([[1, 1]]), { outputDir: fact('/x/y/sft'), folder: 'b' });
    expect(toText(join([outputs('trl/sft'), elsewhere]))).toEqual(['b: tensorboard x1', 'trl/sft: hf-trainer x1']);
  });

  it('gives a tracker that fits no folder a place of its own', () => {
    const lone = tracked('wandb', 'w', {
      outputDir: fact('/x/y/sft'),
      folder: 'wandb/w',
      curves: new Map([['loss', curve([[1, 9]])]]),
    });
    const other = outputs('trl/sft', { curves: new Map([['loss', curve([[1, 1]])]]) });
    expect(toText(join([other, lone]))).toEqual(['trl/sft: hf-trainer x1', 'wandb/w: wandb x1']);
  });

  it('knows the root itself as an output folder, by its name', () => {
    const runs = join([outputs(''), tracked('mlflow', 'm', { outputDir: fact('/users/me/outputs') })]);
    expect(toText(runs)).toEqual([': hf-trainer mlflow x1']);
  });

  it('joins a tracker without a folder by equal losses, though printed ones have fewer digits', () => {
    const exact = losses(10, 100, 10);
    const printed = exact.map(([step, value]): [number, number] => [step, Number(value.toPrecision(4))]);
    const other = losses(10, 100, 10, 3);
    const runs = join([
      outputs('a', { curves: new Map([['loss', curve(exact)]]) }),
      outputs('b', { curves: new Map([['loss', curve(other)]]) }),
      tracked('trackio', 't', { curves: new Map([['loss', curve(printed)]]) }),
    ]);
    expect(toText(runs)).toEqual(['a: hf-trainer trackio x1', 'b: hf-trainer x1']);
  });

  it('leaves a tracker alone where copies of a run are equally near', () => {
    const same = () => ({ curves: new Map([['loss', curve(losses(10, 100, 10))]]) });
    const runs = join([outputs('a', same()), outputs('copy', same()), tracked('trackio', 't', same())]);
    expect(toText(runs)).toEqual([': trackio x1', 'a: hf-trainer x1', 'copy: hf-trainer x1']);
  });

  it('joins what Unsloth exports beside the outputs', () => {
    const gguf = toEvidence({ format: 'gguf', key: 'a_gguf', folder: 'a_gguf' });
    expect(toText(join([outputs('a'), gguf]))).toEqual(['a: gguf hf-trainer x1']);
  });
});

describe('several runs in one folder', () => {
  const first = events('a', 'Aug22', curve(losses(10, 100, 10), NOW));
  const again = events('a', 'Aug23', curve(losses(10, 60, 10, 5), NOW + 90 * MINUTE));

  it('stay two when the second began at step 0', () => {
    const state = outputs('a', { curves: new Map([['loss', curve(losses(10, 60, 10, 5))]]) });
    const runs = join([first, again, state]);
    expect(toText(runs)).toEqual(['a: hf-trainer tensorboard x1', 'a: tensorboard x1']);
    expect(runs.find(({ formats }) => formats.includes('hf-trainer'))?.startedAt).toBe(NOW + 90 * MINUTE);
  });

  it('belong what nothing tells apart to the newest', () => {
    const runs = join([first, again, outputs('a')]);
    expect(runs.find(({ formats }) => formats.includes('hf-trainer'))?.startedAt).toBe(NOW + 90 * MINUTE);
  });

  it('are one when the second went on from a checkpoint: what was trained twice is dropped', () => {
    const resumed = events(
      'a',
      'Aug24',
      curve(
        [
          [60, 9],
          [70, 8],
          [80, 7],
        ],
        NOW + 90 * MINUTE,
      ),
    );
    const [run, ...more] = join([resumed, first, outputs('a')]);
    expect(more).toEqual([]);
    expect(run?.parts).toEqual([
      'a/runs/Aug22_10-00-00_host/events.out.tfevents.1.host.7.0',
      'a/runs/Aug24_10-00-00_host/events.out.tfevents.1.host.7.0',
    ]);
    expect([...(run?.curves().get('loss')?.read().steps ?? [])]).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(run?.curves().get('loss')?.read().values.at(-1)).toBe(7);
  });

  it('replaces what an older part evaluated after the newer began, once the newer evaluates too', () => {
    const evaluated = (at: number) => new Map([['eval/loss', curve([[at, at]])]]);
    const one = { ...first, curves: new Map([...first.curves, ...evaluated(90)]) };
    const two = events(
      'a',
      'Aug24',
      curve(
        [
          [60, 9],
          [70, 8],
        ],
        NOW + MINUTE,
      ),
    );
    expect([...(join([one, two])[0]?.curves().get('eval/loss')?.read().steps ?? [])]).toEqual([90]);
    const evaluates = { ...two, curves: new Map([...two.curves, ...evaluated(95)]) };
    expect([...(join([one, evaluates])[0]?.curves().get('eval/loss')?.read().steps ?? [])]).toEqual([95]);
  });

  it('keep what each of two programs logs that write at the same time', () => {
    const loss = curve(
      [10, 20, 30, 40].map((step) => [step, step]),
      NOW,
    );
    const [run] = join([
      events('a', 'Aug22', loss),
      {
        ...events('a', 'Aug23', curve([[20, 7]], NOW + 1)),
        curves: new Map([['gpu/util', curve([[20, 7]], NOW + 1)]]),
      },
    ]);
    expect([...(run?.curves().get('loss')?.read().steps ?? [])]).toEqual([10, 20, 30, 40]);
  });

  it('of one tracker that write at the same time keep all points of a metric that both log', () => {
    const part = (key: string, at: number, steps: readonly number[]) =>
      toEvidence({
        format: 'wandb',
        key,
        folder: `wandb/${key}`,
        trackerId: 'i',
        startedAt: NOW + at,
        endedAt: NOW + MINUTE + at,
        curves: new Map([
          [
            'loss',
            curve(
              steps.map((step) => [step, step]),
              NOW + at,
            ),
          ],
        ]),
      });
    const [run, ...more] = join([part('x', 0, [10, 20, 30, 40]), part('y', 1, [25])]);
    expect(more).toEqual([]);
    expect([...(run?.curves().get('loss')?.read().steps ?? [])]).toEqual([10, 20, 25, 30, 40]);
  });

  it('of a tracker that counts from the first step again are one after the other, and it is said', () => {
    const session = (key: string, from: number, count: number) =>
      toEvidence({
        format: 'wandb',
        key,
        folder: `wandb/${key}`,
        trackerId: 'i',
        startedAt: NOW + from * MINUTE,
        curves: new Map([
          [
            'loss',
            curve(
              Array.from({ length: count }, (_, step) => [step, from + step]),
              NOW + from * MINUTE,
            ),
          ],
        ]),
      });
    const [run, ...more] = join([session('x', 0, 20), session('y', 60, 15)]);
    expect(more).toEqual([]);
    expect([...(run?.curves().get('loss')?.read().steps ?? [])]).toEqual(Array.from({ length: 35 }, (_, step) => step));
    expect(run?.problems).toEqual([
      expect.stringContaining('Session 2 of 2 of this run begins at its first step again'),
    ]);
  });

  it('are one when the tracker says so: by its id, or by the run that is continued', () => {
    const part = (key: string, at: number, more: Partial<RunEvidence>) =>
      toEvidence({ format: 'wandb', key, folder: `wandb/${key}`, startedAt: NOW + at, ...more });
    expect(join([part('x', 0, { trackerId: 'i' }), part('y', 9, { trackerId: 'i' })])).toHaveLength(1);
    expect(join([part('x', 0, { trackerId: 'i' }), part('y', 9, { trackerId: 'j' })])).toHaveLength(2);
    const chain = [part('x', 0, { trackerId: 'i' }), part('y', 9, { trackerId: 'j', resumedFrom: 'i' })];
    expect(join([...chain, part('z', 19, { trackerId: 'k', resumedFrom: 'j' })])).toMatchObject([
      { parts: [{}, {}, {}] },
    ]);
    expect(join([part('run-1-abc', 0, {}), part('run-2-abc', 9, {}), part('run-3-abd', 9, {})])).toHaveLength(2);
    const circle = [
      part('x', 0, { trackerId: 'i', resumedFrom: 'j' }),
      part('y', 9, { trackerId: 'j', resumedFrom: 'i' }),
    ];
    expect(join(circle).length).toBeGreaterThan(0);
  });
});

describe('facts of a joined run', () => {
  it('come from the best source, and keep what others say differently', () => {
    const card = outputs('a', {
      parameters: parameters({ learning_rate: 0.001, seed: 42, warmup_ratio: 0.1 }, 'a/README.md'),
    });
    const log = events('a', 'Aug22', curve([]), {
      parameters: parameters({ learning_rate: 0.0002, seed: 42.00000001 }, 'a/runs/Aug22/events'),
    });
    const [run] = join([card, log]);
    expect(run?.parameters().get('learning_rate')).toEqual({
      value: 0.0002,
      source: { file: 'a/runs/Aug22/events', place: null },
      format: 'tensorboard',
      others: [{ value: 0.001, source: { file: 'a/README.md', place: null }, format: 'hf-trainer' }],
    });
    expect(run?.parameters().get('seed')?.others).toEqual([]);
    expect(run?.settings().get('warmup_ratio')).toMatchObject({ value: 0.1, fact: { format: 'hf-trainer' } });
  });

  it('come from the newest part first', () => {
    const part = (name: string, first: number, rate: number) =>
      events('a', name, curve(losses(first, first + 50, 10), NOW + first * MINUTE), {
        parameters: parameters({ learning_rate: rate }),
        signs: [sign(first === 10 ? 'failed' : 'finished')],
      });
    const [run] = join([part('Aug24', 110, 0.5), part('Aug23', 10, 0.1)]);
    expect(run?.parts).toHaveLength(2);
    expect(run?.parameters().get('learning_rate')).toMatchObject({ value: 0.5, others: [{ value: 0.1 }] });
    expect(run?.signs.map(({ kind }) => kind)).toEqual(['finished']);
  });

  it('keeps a curve to one source: the one with most points, and of like ones the one with most digits', () => {
    const exact = losses(10, 100, 10);
    const printed = exact.map(([step, value]): [number, number] => [step, Number(value.toPrecision(4))]);
    const log = toEvidence({ format: 'log', key: 'a', folder: 'a', curves: new Map([['loss', curve(printed)]]) });
    const [run] = join([log, events('a', 'Aug22', curve(exact))]);
    expect(run?.curves().get('loss')?.format).toBe('tensorboard');
    expect(run?.curves().get('loss')?.length).toBe(10);
    const longer = toEvidence({ ...log, curves: new Map([['loss', curve([...printed, [110, 1], [120, 0.9]])]]) });
    const [other] = join([longer, events('a', 'Aug22', curve(exact))]);
    expect(other?.curves().get('loss')?.format).toBe('log');
  });
});

describe('runs that are joined again', () => {
  it('are the same objects for the same evidence', () => {
    const joiner = new RunJoiner();
    const evidence = [outputs('a'), outputs('b')];
    const before = joiner.join(evidence, ROOT);
    const after = joiner.join([evidence[0]!, outputs('b')], ROOT);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('are those that are joined once, whatever changed', () => {
    const loss = (start: number) => new Map([['loss', curve(losses(10, 100, 10, start))]]);
    const all = [
      outputs('a', { curves: loss(2) }),
      outputs('b'),
      tracked('trackio', 't'),
      tracked('wandb', 'w'),
      events('b', 'Aug22', curve(losses(10, 100, 10, 3))),
    ];
    const changes: readonly (readonly [place: number, to: RunEvidence | null])[] = [
      // The tracker's values come, and join it to a folder; then they turn out to be those of another run.
      [2, tracked('trackio', 't', { curves: loss(2) })],
      [2, tracked('trackio', 't', { curves: loss(5) })],
      [3, tracked('wandb', 'w', { outputDir: fact('/users/me/outputs/b') })],
      [3, tracked('wandb', 'w', { outputDir: fact('/users/me/outputs/a') })],
      // A folder of event files turns out to have outputs, and one that had some has none.
      [4, outputs('b/runs')],
      [1, null],
    ];
    const joiner = new RunJoiner();
    const evidence: (RunEvidence | null)[] = [...all];
    const seen = new Set<string>();
    for (const change of [null, ...changes]) {
      if (change) evidence[change[0]] = change[1];
      const now = evidence.filter((each) => each !== null);
      const again = toText(joiner.join(now, ROOT));
      expect(again).toEqual(toText(join(now)));
      seen.add(again.join('; '));
    }
    // Each change but the last makes other runs.
    expect(seen.size).toBeGreaterThanOrEqual(changes.length);
    expect(toText(joiner.join(all, '/elsewhere/x'))).toEqual(toText(joinRuns(all, '/elsewhere/x')));
  });
});

it('does not compare each of a thousand runs with each', () => {
  const evidence = Array.from({ length: 1000 }, (_, at) => [
    outputs(`r${at}`),
    events(`r${at}`, 'Aug22', curve(losses(10, 500, 10, 2 + at / 1000), NOW)),
    tracked('trackio', `t${at}`, { curves: new Map([['loss', curve(losses(10, 500, 10, 2 + at / 1000), NOW)]]) }),
  ]).flat();
  // Otherwise it would take longer than a test may.
  expect(join(evidence)).toHaveLength(1000);
});
