import { describe, expect, it } from 'vitest';
import { LinePrefix } from './linePrefix.ts';
import { LogTail } from '#features/runs/server/formats/logTail.ts';

const ROW = "{'loss': 0.5, 'epoch': 1.0}";
const BAR = ' 12%|#   | 12/100 [00:01<00:09,  9.52it/s]';

describe('a launcher', () => {
  it.each([
    ['torchrun --tee', '[default0]:'],
    ['torchrun with a role', '[trainer0]:'],
    ['torch itself', '[rank0]: '],
    ['srun --label', '0: '],
    ['srun --label of many tasks', ' 12: '],
    ['kubectl logs --timestamps', '2026-11-18T10:00:00.123456Z '],
    ['kubectl logs --prefix', '[pod/train-0/main] '],
    ['ts', 'Nov 18 10:00:00 '],
    ['a logger', '2026-11-18 10:00:00,123 '],
    ['DeepSpeed', 'worker-0: '],
    ['a pod with times and ranks', '2026-11-18T10:00:00Z [default0]:'],
  ])('%s hides no row, bar or error', (_name, prefix) => {
    const lines = [ROW, BAR, 'Traceback (most recent call last):', '  File "train.py"', 'ValueError: no such column'];
    const stripped = new LinePrefix();
    expect(lines.map((line) => stripped.strip(prefix + line))).toEqual(lines);
  });

  it('writes the rows of all ranks into one log: the first one counts, and the errors of all', () => {
    const prefix = new LinePrefix();
    expect(prefix.strip(`[default1]:${ROW}`)).toBe(ROW);
    expect(prefix.strip(`[default0]:${ROW}`)).toBeNull();
    expect(prefix.strip('[rank3]: ValueError: x')).toBe('ValueError: x');
  });
});

it.each([
  ROW,
  BAR,
  '   10    2.345 ▼      512      5.1k',
  'Iter 10: Train loss 2.345, Learning Rate 1.000e-05',
  '[2026-08-22 10:00:00,123] [INFO] [axolotl.train] Model successfully saved to out',
  'ValueError: no such column',
  'note: the next line',
  '10: of a list',
])('leaves %j as it is', (line) => {
  expect(new LinePrefix().strip(line)).toBe(line);
});

it('begins anew with a log that begins anew, and sees the line that is not complete', () => {
  const tail = new LogTail({ isConsole: true });
  const take = (text: string, isFromStart: boolean) => tail.take(new TextEncoder().encode(text), isFromStart);
  expect(take(`0: ${ROW}\n1: ${ROW}\n0: ${BAR}`, true)).toEqual([ROW]);
  expect(tail.openLine).toBe(BAR);
  expect(take(`1: ${ROW}\n`, true)).toEqual([ROW]);
});
