// The report of a folder in words, from files of real formats on a real disk to the sentence.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { examine, toReport } from './doctor.ts';
import { hfEventFile, SUMMARY_VALUES, trainRows } from '#features/runs/server/formats/tfevents.fixture.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

let folder = '';
beforeEach(() => {
  folder = keepFolder();
});

function put(path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const START = 1_787_393_224;
const END = { step: 160, values: SUMMARY_VALUES };

describe('a folder', () => {
  it('with a run that was resumed, and one that began anew in the same place', async () => {
    put(`a/runs/Aug22_10-07-04_box/events.out.tfevents.${START}.box.41.0`, hfEventFile(START, trainRows(10)));
    const later = hfEventFile(START + 9000, [...trainRows(10, 60), END]);
    put(`a/runs/Aug22_12-37-04_box/events.out.tfevents.${START + 9000}.box.42.0`, later);
    const anew = hfEventFile(START + 20_000, [...trainRows(3), END]);
    put(`a/runs/Aug22_15-40-24_box/events.out.tfevents.${START + 20_000}.box.43.0`, anew);
    put('photos/cat.jpg', '');
    const { lines, exitCode } = await examine([folder]);
    expect(exitCode).toBe(0);
    expect(lines[0]).toBe(`${folder}: 2 runs in 6 folders with 4 files; 1 not understood, with the reasons below`);
    expect(lines).toContain('  TensorBoard: 2 runs');
    expect(lines.filter((line) => line.includes(': done. Finished: '))).toHaveLength(2);
    expect(lines.find((line) => line.startsWith('  photos: '))).toContain('cat.jpg');
  });

  it('without a run ends with 1, one that is not there with 2', async () => {
    put('photos/cat.jpg', '');
    expect((await examine([folder])).exitCode).toBe(1);
    const missing = await examine([join(folder, 'none'), join(folder, 'photos/cat.jpg')]);
    expect(missing).toMatchObject({
      lines: [expect.stringContaining('there is no such folder'), '', expect.stringContaining('it is a file')],
      exitCode: 2,
    });
  });
});

it('shows names as they are safe on a terminal', () => {
  const root = {
    path: '/a\u001B[2J',
    runs: 1,
    folders: 1,
    files: 1,
    formats: [],
    not_understood: [],
    not_understood_count: 0,
    problems: [],
  };
  const report = toReport(root as never, [{ label: 'x\ny', word: 'failed', reason: 'Failed: \u202Ez.' }]);
  expect(report.join('|')).toBe('/a�[2J: 1 run in 1 folder with 1 file||Runs:|  x�y: failed: �z.');
});

it('names how many more there are, and a problem once', () => {
  const entry = { folder: 'photos', reason: 'It is empty.' };
  const root = {
    path: '/a',
    state: 'polling',
    state_reason: 'Files are looked at in turns.',
    runs: 0,
    folders: 1,
    files: 1,
  };
  const problems = [{ file: 'a', problem: 'a/x.json: It is not complete JSON.' }];
  const more = { formats: [], not_understood: [entry], not_understood_count: 300, problems };
  expect(toReport({ ...root, ...more } as never, []).join('|')).toBe(
    '/a: 0 runs in 1 folder with 1 file; 300 not understood, with the reasons below||Not understood:|  photos: It is empty.' +
      '|  and 299 more||Problems:|  a/x.json: It is not complete JSON.',
  );
});
