import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { swanlab } from './swanlab.ts';
import { SWANLAB } from '#features/runs/server/encodings/wandbLog.ts';
import { toMessage, toWandbFile } from './wandb.fixture.ts';

const FOLDER = 'swanlog/run-20261128_100000-abc';
const PATH = `${FOLDER}/run-abc.swanlab`;
const SECONDS = 1_795_874_000;

/** A `double`, as a field of its own. */
function toDouble(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(9);
  bytes[0] = field * 8 + 1;
  new DataView(bytes.buffer).setFloat64(1, value, true);
  return bytes;
}

const toTime = (seconds: number): Uint8Array => toMessage([[1, SECONDS + seconds]]);

const startRecord = toMessage([
  [
    10,
    toMessage([
      [1, 'pets'],
      [4, 'cats lora'],
      [5, 'a note of mine'],
      [6, 'lora'],
      [6, 'try 2'],
      [7, 'pair'],
      [10, 'abc'],
      [12, toTime(0)],
    ]),
  ],
]);
const scalar = (key: string, step: number, value: number): Uint8Array =>
  toMessage([
    [
      13,
      toMessage([
        [1, key],
        [2, step],
        [4, toTime(step)],
        [5, toDouble(1, value)],
      ]),
    ],
  ]);
const finishRecord = (state: number, error = ''): Uint8Array =>
  toMessage([
    [
      11,
      toMessage([
        [1, state],
        [2, error],
        [3, toTime(99)],
      ]),
    ],
  ]);
function toFile(...records: readonly Uint8Array[]): Uint8Array {
  const file = toWandbFile(records);
  file.set(SWANLAB.header);
  return file;
}

it('reads the rows, names, notes and settings of a run of SwanLab', () => {
  const files = {
    [PATH]: toFile(
      startRecord,
      scalar('train/loss', 10, 2),
      scalar('val/loss', 10, Number.NaN),
      scalar('train/loss', 20, 1),
    ),
    [`${FOLDER}/files/config.yaml`]: "lr:\n  desc: ''\n  sort: 0\n  value: 0.001\nplain: 3\n",
  };
  const [run, ...more] = readRuns(swanlab, files);
  expect(more).toEqual([]);
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2],
      [20, 1],
    ],
    'eval/loss': [[10, Number.NaN]],
  });
  expect(run).toMatchObject({
    trackerId: 'abc',
    name: { value: 'cats lora' },
    group: { value: 'pets / pair' },
    tags: ['lora', 'try 2'],
    notes: { value: 'a note of mine' },
    startedAt: SECONDS * 1000,
    signs: [],
  });
  expect(toValues(run?.parameters)).toEqual({ lr: 0.001 });
});

it.each([
  [1, '', 'finished', 'SwanLab state FINISHED'],
  [2, 'Traceback\nValueError: no such column', 'failed', 'SwanLab state CRASHED: ValueError: no such column'],
  [3, '', 'interrupted', 'SwanLab state ABORTED'],
])('says what became of a run: state %d', (state, error, kind, reason) => {
  const [run] = readRuns(swanlab, { [PATH]: toFile(startRecord, finishRecord(state, error)) });
  expect(run).toMatchObject({ signs: [{ kind, reason }], endedAt: (SECONDS + 99) * 1000 });
});

it('reads a file that grows, and says that another one is none of its own', () => {
  const bytes = toFile(startRecord, scalar('loss', 1, 2), scalar('loss', 2, 1));
  const [reading] = openClaims(swanlab, { [PATH]: bytes });
  reading?.take(PATH, bytes.slice(0, bytes.length - 20));
  expect(toPoints(reading?.runs[0])['loss']).toEqual([[1, 2]]);
  reading?.take(PATH, bytes.slice(bytes.length - 20), false);
  expect(toPoints(reading?.runs[0])['loss']).toHaveLength(2);
  expect(() => reading?.take(PATH, 'SQLite format 3 and more')).toThrow('It is not a SwanLab file');
});
