import { array, assert, integer, nat, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { MODIFIED_AT, pointsOf, readRuns, toFolder, type TestFiles } from './folder.fixture.ts';
import {
  event,
  bytesField,
  floatValScalar,
  HF_ARGUMENTS,
  hfEventFile,
  histogram,
  joinBytes,
  record,
  restart,
  scalar,
  SUMMARY_VALUES,
  tensorContentScalar,
  text,
  trainRows,
  varintField,
  versionEvent,
} from './tfevents.fixture.ts';
import { readProcess } from './eventFolders.ts';
import { tensorboardFormat } from './tfevents.ts';

const START = 1_787_393_224.5;
const FOLDER = 'sft/runs/Aug22_10-07-04_box';
const FILE = `${FOLDER}/events.out.tfevents.1787393224.box.4242.0`;
const DONE = { step: 50, values: { ...SUMMARY_VALUES, 'train/epoch': 0.5 } };

const read = (files: TestFiles, chunk?: number): readonly RunEvidence[] =>
  readRuns(tensorboardFormat, files, chunk === undefined ? {} : { chunk });
const one = (content: Uint8Array, chunk?: number): RunEvidence => read({ [FILE]: content }, chunk)[0]!;

describe('a long file', () => {
  const many = Array.from({ length: 4000 }, (_, at) => scalar(START + at, at, 'train/loss', at));
  // A record that is longer than a chunk, between those that are short.
  const content = joinBytes(
    versionEvent(START),
    ...many.slice(0, 2000),
    text(START, 'note', 'x'.repeat(200_000)),
    ...many.slice(2000),
  );

  it.each([undefined, 70_001, 90_000, 131_072])('gives all points, in chunks of %s bytes', (chunk) => {
    const points = pointsOf(one(content, chunk), 'loss');
    expect(points.findIndex(([step, value], at) => step !== at || value !== at)).toBe(-1);
    expect(points).toHaveLength(4000);
  });
});

describe('a run of the Trainer', () => {
  const rows = [...trainRows(5), { step: 50, values: { 'eval/loss': 1.875, 'eval/runtime': 2 } }];
  const run = one(hfEventFile(START, [...rows, DONE]));

  it('belongs to the output folder', () => {
    expect([run.key, run.folder, run.outputDir?.value]).toEqual([FOLDER, 'sft', '/data/me/out/sft']);
    expect(run.process).toEqual({ host: 'box', pid: 4242 });
    expect([run.startedAt, run.lastSignAt]).toEqual([START * 1000, MODIFIED_AT]);
  });

  it('has curves with short values and times', () => {
    expect([...run.curves.keys()]).toEqual(['loss', 'learning_rate', 'epoch', 'eval/loss', 'eval/runtime']);
    expect(pointsOf(run, 'loss')).toEqual([10, 20, 30, 40, 50].map((step, i) => [step, 2 - i / 100]));
    expect(pointsOf(run, 'learning_rate')[0]).toEqual([10, 0.0002]);
    expect(run.curves.get('loss')?.read().times?.[0]).toBe((START + 10) * 1000);
  });

  it('has the settings of its arguments and model, without secrets', () => {
    expect(run.parameters.get('learning_rate')).toEqual({
      value: 0.0002,
      source: { file: FILE, place: 'args/text_summary' },
    });
    expect(run.parameters.get('report_to')?.value).toBe('["tensorboard"]');
    expect(run.parameters.get('model_config.model_type')?.value).toBe('llama');
    expect(run.parameters.has('hub_token')).toBe(false);
    expect(run.environment.get('transformers')?.value).toBe('5.18.0');
    expect([run.name?.value, run.method?.value]).toEqual(['sft', 'sft']);
  });

  it('is finished by its summary', () => {
    expect(run.signs.map(({ kind, at }) => [kind, at])).toEqual([['finished', (START + 70) * 1000]]);
    expect(run.summary.get('train_runtime')?.value).toBe(63.5);
    expect(run.summary.get('total_flos')?.value).toBe(1.25e15);
    expect(run.progress).toEqual({ step: 50, totalSteps: null, epoch: 0.5, totalEpochs: 3 });
  });

  it('is not finished while it counts tokens, which logs the runtime with every row', () => {
    const counting = trainRows(3).map(({ step, values }) => ({
      step,
      values: { ...values, 'train/train_runtime': step },
    }));
    const open = one(hfEventFile(START, counting, { args: { ...HF_ARGUMENTS, max_steps: 500 } }));
    expect(open.signs).toEqual([]);
    expect(pointsOf(open, 'train_runtime')).toHaveLength(3);
    expect(open.progress).toMatchObject({ step: 30, totalSteps: 500, totalEpochs: null });
  });
});

it('is probably complete at the last step that its arguments plan', () => {
  const args = { ...HF_ARGUMENTS, max_steps: 50 };
  const kinds = [4, 5].map((rows) => one(hfEventFile(START, trainRows(rows), { args })).signs.map(({ kind }) => kind));
  expect(kinds).toEqual([[], ['complete']]);
});

it('finds the output folder at the root', () => {
  const content = hfEventFile(START, trainRows(1));
  const [run] = read({ 'runs/Aug22_10-07-04_box/events.out.tfevents.1787393224.box.1.0': content });
  expect([run?.folder, run?.outputDir?.value]).toEqual(['', '/data/me/out/sft']);
});

it('reads the same from chunks of any size', () => {
  const bytes = hfEventFile(START, [...trainRows(4), DONE]);
  const whole = one(bytes);
  for (const chunk of [1, 2, 3, 7, 11, 12, 13, 61, 100, 1000]) {
    const run = one(bytes, chunk);
    expect(pointsOf(run, 'loss')).toEqual(pointsOf(whole, 'loss'));
    expect([run.parameters.size, run.signs.length]).toEqual([whole.parameters.size, 1]);
  }
});

it('reads scalars in all forms, and passes over images and histograms', () => {
  const run = one(
    joinBytes(
      versionEvent(START),
      scalar(START, 0, 'simple', 0.1),
      tensorContentScalar(START, 300, 'content', 0.2),
      floatValScalar(START, 70_000, 'float_val', 0.3),
      floatValScalar(START, 1, 'vector', 1, 2),
      histogram(START, 1, 'weights'),
      text(START, 'note', 'hello'),
      scalar(START, 2 ** 40, 'x'.repeat(200), -1),
      scalar(START, -3, 'negative', NaN),
    ),
  );
  const points = [...run.curves.keys()].map((name) => [name.slice(0, 10), pointsOf(run, name)[0]]);
  expect(points).toEqual([
    ['simple', [0, 0.1]],
    ['content', [300, 0.2]],
    ['float_val', [70_000, 0.3]],
    ['xxxxxxxxxx', [2 ** 40, -1]],
    ['negative', [-3, NaN]],
  ]);
  expect(run.problems).toEqual([]);
});

describe('several files', () => {
  const later = (name: string): string => `${FOLDER}/events.out.tfevents.${name}`;

  it('joins an evaluation after the training', () => {
    const [run, ...more] = read({
      [FILE]: hfEventFile(START, [...trainRows(5), { step: 50, values: { 'eval/loss': 2 } }, DONE]),
      [later('1787393324.box.4242.1')]: hfEventFile(START + 100, [{ step: 50, values: { 'eval/loss': 1.5 } }], {
        args: null,
      }),
    });
    expect(more).toEqual([]);
    expect(pointsOf(run, 'loss')).toHaveLength(5);
    expect(pointsOf(run, 'eval/loss')).toEqual([[50, 1.5]]);
    expect(run?.signs.map(({ kind }) => kind)).toEqual(['finished']);
    expect(run?.parameters.get('learning_rate')?.value).toBe(0.0002);
  });

  it('continues a resumed run, and drops the points that it repeats', () => {
    const rows = [...trainRows(5), { step: 50, values: { 'eval/loss': 2 } }, DONE];
    const [run, ...more] = read({
      [later('1787399999.box.777.0')]: hfEventFile(START + 6000, trainRows(2, 30)),
      [FILE]: hfEventFile(START, rows),
    });
    expect(more).toEqual([]);
    expect(pointsOf(run, 'loss').map(([step]) => step)).toEqual([10, 20, 30, 40, 50]);
    expect(pointsOf(run, 'loss')[3]).toEqual([40, 2]);
    // The newer part has not evaluated yet.
    expect(pointsOf(run, 'eval/loss')).toEqual([[50, 2]]);
    expect([run?.signs, run?.process?.pid, run?.startedAt]).toEqual([[], 777, START * 1000]);
    // As the first session measured itself, and as the times of the second say.
    expect(run?.seconds).toBeCloseTo(63.5 + 20, 3);
  });

  it('says when it was last written to by its own clock, until it is seen to grow', () => {
    const content = hfEventFile(START, trainRows(2));
    const reading = tensorboardFormat.open({ key: '', files: [] }, toFolder({ [FILE]: content }));
    const give = (modifiedAt: number, isFromStart: boolean) =>
      reading.take({
        kind: 'tail',
        path: FILE,
        modifiedAt,
        bytes: 1,
        content: isFromStart ? content : new Uint8Array(),
        isFromStart,
      });
    give(MODIFIED_AT, true);
    const said = reading.evidence()[0]?.lastEventAt;
    expect(said).toBe((START + 20) * 1000);
    give(MODIFIED_AT + 30_000, false);
    expect(reading.evidence()[0]?.lastEventAt).toBe(said);
    give(MODIFIED_AT + 90_000, false);
    expect(reading.evidence()[0]?.lastEventAt).toBeNull();
  });

  it('keeps all curves where several programs write into one folder, or one writes a last figure', () => {
    const log = (tag: string, steps: readonly number[], start: number) =>
      joinBytes(versionEvent(start), ...steps.map((step) => scalar(start + step, step, tag, step / 10)));
    const steps = Array.from({ length: 50 }, (_, step) => step);
    const second = later('1787393225.box.4242.1');
    for (const [tag, own, start] of [
      ['gpu/util', steps, START + 1],
      ['gpu/util', steps.slice(40), START + 1],
      ['best/accuracy', [0], START + 6000],
      ['train/loss', [45], START + 1],
    ] as const) {
      const [run, ...more] = read({ [FILE]: log('train/loss', steps, START), [second]: log(tag, own, start) });
      expect(more).toEqual([]);
      expect(pointsOf(run, 'loss')).toHaveLength(tag === 'train/loss' ? 51 : 50);
      if (tag !== 'train/loss') expect(pointsOf(run, tag)).toHaveLength(own.length);
    }
  });

  it('keeps the evaluations of a program that evaluates one checkpoint again, and replaces that one', () => {
    const evaluated = (start: number, steps: readonly number[], value: number) =>
      joinBytes(versionEvent(start), ...steps.map((step) => scalar(start + step, step, 'eval/loss', value)));
    const [run] = read({
      [FILE]: joinBytes(hfEventFile(START, trainRows(5)), evaluated(START + 100, [10, 20, 30, 40, 50], 2)),
      [later('1787399999.box.777.0')]: evaluated(START + 6000, [30], 1),
    });
    expect(pointsOf(run, 'eval/loss').map(([, value]) => value)).toEqual([2, 2, 1, 2, 2]);
  });

  it('has an epoch at each step once, and a curve of a loss that each step has under the name of a mean', () => {
    const [run] = read({
      [FILE]: joinBytes(
        ...[10, 20].flatMap((step) => [
          scalar(START + step, step, 'train_loss', step),
          scalar(START + step, step, 'train/epoch', step / 100),
          scalar(START + step, step, 'eval/loss', step),
          scalar(START + step, step, 'train/epoch', step / 100),
        ]),
      ),
    });
    expect(pointsOf(run, 'epoch').map(([step]) => step)).toEqual([10, 20]);
    expect(pointsOf(run, 'loss').map(([step]) => step)).toEqual([10, 20]);
    expect(run?.summary.size).toBe(0);
  });

  it('takes a file that starts from the first step again for another run', () => {
    const second = later('1787399999.box.777.0');
    const runs = read({ [FILE]: hfEventFile(START, trainRows(5)), [second]: hfEventFile(START + 6000, trainRows(2)) });
    expect(runs.map(({ key, folder }) => [key, folder])).toEqual([
      [FOLDER, 'sft'],
      [second, 'sft'],
    ]);
    expect(runs.map((run) => pointsOf(run, 'loss').length)).toEqual([5, 2]);
  });

  it('keeps to the step from which a restarted writer says that points are void', () => {
    const [run] = read({
      'log/events.out.tfevents.1787393224.box': joinBytes(
        ...[1, 2, 3, 4].map((step) => scalar(START, step, 'a', step)),
      ),
      'log/events.out.tfevents.1787393225.box': joinBytes(restart(START, 3), scalar(START, 4, 'a', 9)),
    });
    expect(pointsOf(run, 'a')).toEqual([
      [1, 1],
      [2, 2],
      [4, 9],
    ]);
  });

  it('begins anew with a file that was replaced', () => {
    const [{ claim, reading }] = [{ claim: null, reading: tensorboardFormat.open({ key: '', files: [] }, root) }];
    for (const rows of [5, 2]) {
      const content = hfEventFile(START, trainRows(rows));
      reading.take({ kind: 'tail', path: FILE, modifiedAt: 1, bytes: 1, content, isFromStart: true });
    }
    expect([claim, pointsOf(reading.evidence()[0], 'loss').length]).toEqual([null, 2]);
    reading.take({ kind: 'gone', path: FILE, modifiedAt: 1, bytes: 0 });
    expect(reading.evidence()).toEqual([]);
  });
});

const root = { path: 'a', parent: null, files: new Map(), folders: new Map() };

describe('other programs', () => {
  it('are runs of their own folders', () => {
    const files = {
      'logs/a/events.out.tfevents.1787393224.box.1.0.v2': scalar(START, 1, 'val/loss', 1),
      'logs/b/events.out.tfevents.1787393224.box.2.0': scalar(START, 1, 'lr', 1),
      'runs/Aug22_10-07-04_box/events.out.tfevents.1787393224.box.3.0': scalar(START, 1, 'lr', 1),
    };
    expect(read(files).map(({ key, folder }) => [key, folder])).toEqual([
      ['logs/a', 'logs/a'],
      ['logs/b', 'logs/b'],
      ['runs/Aug22_10-07-04_box', 'runs/Aug22_10-07-04_box'],
    ]);
  });

  it('belong to a trial of a search', () => {
    const [run] = read({ [`${FOLDER}/lr-2/events.out.tfevents.1787393224.box.1.0`]: hfEventFile(START, trainRows(1)) });
    expect([run?.key, run?.folder]).toEqual([`${FOLDER}/lr-2`, 'sft/lr-2']);
  });

  it('are told from files with similar names', () => {
    expect(read({ 'a/tfevents.txt': 'x', 'a/events.out.tfevents': 'x', 'a/model.safetensors': 5 })).toEqual([]);
  });
});

it.each([
  ['events.out.tfevents.1787393224.box.4242.0', { host: 'box', pid: 4242 }],
  ['events.out.tfevents.1787393224.gpu-1.lab.example.4242.12.v2', { host: 'gpu-1.lab.example', pid: 4242 }],
  ['events.out.tfevents.1787393224.box', { host: 'box', pid: null }],
  ['events.out.tfevents.1787393224.192.168.1.5', { host: '192.168.1.5', pid: null }],
  ['events.out.tfevents.1787393224.192.168.1.5.99.0', { host: '192.168.1.5', pid: 99 }],
  ['model.safetensors', null],
])('reads host and pid of %s', (name, expected) => expect(readProcess(name)).toEqual(expected));

describe('damaged and hostile files', () => {
  const good = scalar(START, 1, 'loss', 1.5);

  it('waits for the rest of a record', () => {
    for (let cut = 1; cut < good.length; cut += 1) {
      const run = one(joinBytes(versionEvent(START), good, good.subarray(0, cut)));
      expect([pointsOf(run, 'loss').length, run.problems]).toEqual([1, []]);
    }
  });

  it('stops at bytes that are no record, and says where', () => {
    const run = one(joinBytes(good, new Uint8Array(40), good));
    expect(pointsOf(run, 'loss')).toHaveLength(1);
    expect(run.problems).toEqual([expect.stringContaining(`damaged at byte ${good.length};`)]);
  });

  it('passes over a record of 17 MB, and never holds one', () => {
    const length = 17 * 1024 * 1024;
    // Its length with the checksum of that, and no checksum of its bytes, which nobody reads.
    const [frame, point] = [record(new Uint8Array(), length).subarray(0, 12), good.subarray(12, -4)];
    const rest = bytesField(15, new Uint8Array(length - point.length - 5));
    const large = joinBytes(frame, point, rest, new Uint8Array(4));
    expect(large).toHaveLength(12 + length + 4);
    expect(pointsOf(one(joinBytes(good, large, good), 4 * 1024 * 1024), 'loss')).toHaveLength(2);
    expect(pointsOf(one(joinBytes(good, record(new Uint8Array(9), 2 ** 52), good)), 'loss')).toHaveLength(1);
  });

  it.each([
    ['an empty record', record(new Uint8Array())],
    ['a field longer than its message', record(Uint8Array.of(0x2a, 0xff, 0xff, 0xff, 0xff, 0x7f))],
    ['an endless varint', record(new Uint8Array(40).fill(0xff))],
    ['an unknown wire type', record(Uint8Array.of(0x0b, 0x0c))],
    ['a value without a tag', record(event(START, 1, bytesField(5, bytesField(1, varintField(7, 1)))))],
    ['a tag of 2,000 bytes', scalar(START, 1, 'x'.repeat(2000), 1)],
    [
      'a tag that is not UTF-8',
      record(event(START, 1, bytesField(5, bytesField(1, bytesField(1, Uint8Array.of(255)))))),
    ],
    ['a time of NaN', record(event(NaN, 1))],
  ])('goes on after %s', (_name, bytes) => {
    const run = one(joinBytes(good, bytes, good));
    expect(pointsOf(run, 'loss')).toEqual([
      [1, 1.5],
      [1, 1.5],
    ]);
    expect(run.startedAt).toBe(START * 1000);
  });

  it('has arguments only where they are an object', () => {
    for (const content of ['[1]', '{"output_dir": ', 'null', '"x"', '']) {
      const run = one(joinBytes(text(START, 'args', content), good));
      expect([run.parameters.size, run.outputDir, pointsOf(run, 'loss').length]).toEqual([0, null, 1]);
    }
  });

  it('bounds the number of tags', () => {
    const run = one(joinBytes(...Array.from({ length: 5010 }, (_, i) => scalar(START, 1, `tag${i}`, 1))));
    expect([run.curves.size, run.problems.length]).toEqual([5000, 1]);
  });

  it('never throws, whatever bytes are changed', () => {
    const bytes = hfEventFile(START, [...trainRows(2), DONE]);
    const changes = array(tuple(nat(bytes.length - 1), integer({ min: 0, max: 255 })), { maxLength: 6 });
    assert(
      property(changes, nat(bytes.length), uint8Array({ maxLength: 40 }), (changes, cut, extra) => {
        const damaged = bytes.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        const [run] = read({ [FILE]: joinBytes(damaged.subarray(0, cut), extra) }, 50);
        expect(run?.folder).toMatch(/^sft/);
      }),
    );
  });

  it('never throws at any bytes inside a right frame', () => {
    assert(
      property(uint8Array({ maxLength: 200 }), (data) => {
        expect(pointsOf(one(joinBytes(record(data), good)), 'loss').at(-1)).toEqual([1, 1.5]);
      }),
    );
  });
});
