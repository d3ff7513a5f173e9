import { describe, expect, it } from 'vitest';
import type { Calibration, CalibrationRun } from '#features/experiments/shared/measured/calibration.ts';
import { findSeedRuns, toGridShares, toRegrets, toRegretTable, toRuleSettings } from './regret.ts';
import { RULES } from './rules.ts';
import { TASK_NAMES, TASK_SHAPES, toTaskRows } from './tasks.ts';
import { openAnswers, toAnswer, toAnswerShape } from '#features/datasets/shared/answerShape.ts';

const toRun = (fields: Partial<CalibrationRun> = {}): CalibrationRun => ({
  task: 'dates',
  lora: false,
  learning_rate: 3e-3,
  batch_size: 4,
  n_epochs: 6,
  seed: 1,
  steps: 100,
  loss: 0.1,
  exact_match: 0.9,
  cpu_seconds: 10,
  ...fields,
});
const toTask = (name: string): Calibration['tasks'][number] => ({
  name,
  rows: 150,
  held_out_rows: 60,
  bytes_per_row: 60,
  tokens_per_row: 48,
  answer_shape: 'text',
});
const toCalibration = (runs: readonly CalibrationRun[]): Calibration => ({
  base: 'support-base',
  parameters: 935_040,
  tasks: ['dates', 'notices'].map(toTask),
  runs: [...runs],
});

describe('our rule', () => {
  const [ours] = RULES;
  it('knows only the other tasks', () => {
    const calibration = toCalibration([
      toRun({ learning_rate: 1.5e-3 }),
      toRun({ task: 'notices', learning_rate: 6e-3, n_epochs: 10 }),
    ]);
    const settings = calibration.tasks.map((task) => toRuleSettings(ours!, calibration, task));
    expect(settings).toMatchObject([
      { lora: false, learning_rate: 6e-3, n_epochs: 10 },
      { lora: false, learning_rate: 1.5e-3, n_epochs: 6 },
    ]);
  });

  it('says nothing where no other task has run', () => {
    const calibration = toCalibration([toRun()]);
    expect(toRuleSettings(ours!, calibration, calibration.tasks[0]!)).toBeNull();
  });
});

describe('regrets', () => {
  const runs = [
    toRun(),
    toRun({ loss: 0.05, exact_match: 0.95, n_epochs: 10 }),
    toRun({ task: 'notices', loss: 0.4, exact_match: 0.1 }),
    toRun({
      task: 'notices',
      lora: true,
      learning_rate: 6e-3,
      batch_size: 8,
      n_epochs: 3,
      loss: null,
      exact_match: null,
    }),
  ];

  it('compare what a rule says with the best that was found, where it has run', () => {
    const lines = toRegrets(toCalibration(runs));
    expect(lines.find(({ rule }) => rule.includes('ours'))?.cells).toEqual([
      expect.objectContaining({ task: 'dates', loss: 0.1, best_loss: 0.05, exact_match: 0.9, best_exact_match: 0.95 }),
    ]);
    expect(lines.find(({ rule }) => rule.startsWith('fixed'))?.cells).toMatchObject([{ task: 'notices', loss: null }]);
    expect(lines.find(({ rule }) => rule.startsWith('Unsloth and QLoRA'))?.cells).toEqual([]);
  });

  it('are a table that says what was not run, what failed, and how much of the grid there is', () => {
    const table = toRegretTable(toCalibration(runs));
    expect(table).toContain('| measured on the other tasks (ours) | 0.10, 90 % | not run |');
    expect(table).toContain('| fixed: LoRA, 6e-3, 3 epochs, batch 8 | not run | failed |');
    expect(table).toContain('| best that was found | 0.050, 95 % | 0.40, 10 % |');
    expect(table).toContain('| share of the grid | 2 of 126 | 2 of 126 |');
    expect(toGridShares(toCalibration([toRun({ learning_rate: 1e-4 })]))[0]).toMatchObject({ tried: 0 });
  });

  it('find runs by their settings', () => {
    expect(findSeedRuns(runs, 'dates', toRun({ n_epochs: 10 }))?.loss).toBe(0.05);
    expect(findSeedRuns(runs, 'notices', toRun({ n_epochs: 10 }))).toBeNull();
  });

  it('take the mean of all seeds, with its error, and no best of fewer seeds than others have had', () => {
    const seeded = [
      ...[0.05, 0.07].map((loss, index) => toRun({ n_epochs: 10, loss, seed: index + 1 })),
      ...[0.1, 0.14].map((loss, index) => toRun({ loss, seed: index + 1 })),
      toRun({ n_epochs: 3, loss: 0.01 }),
      toRun({ task: 'notices' }),
    ];
    const cell = toRegrets(toCalibration(seeded))[0]?.cells.find(({ task }) => task === 'dates');
    expect(cell?.loss).toBeCloseTo(0.12);
    expect(cell?.best_loss).toBeCloseTo(0.06);
    // Nearly no loss is as good as none: 0.01 is added to both. Errors of means: 0.02 and 0.01.
    expect(cell?.ratio).toBeCloseTo(0.13 / 0.07);
    expect(cell?.error).toBeCloseTo((0.13 / 0.07) * Math.hypot(0.02 / 0.13, 0.01 / 0.07));
    expect(toRegretTable(toCalibration(seeded))).toContain('| ours to the best | 1.86 ± 0.39 |  |');
  });
});

describe.each(TASK_NAMES)('the task %s', (name) => {
  it('has the same rows for the same seed, none twice, and answers of the shape that it says', () => {
    const rows = toTaskRows(name, 210, 11);
    expect(toTaskRows(name, 210, 11)).toEqual(rows);
    expect(toTaskRows(name, 210, 12)).not.toEqual(rows);
    expect(new Set(rows).size).toBe(210);
    const answers = openAnswers();
    for (const row of rows) answers.add(toAnswer((JSON.parse(row) as { messages: [] }).messages));
    expect(toAnswerShape(answers.toCounts(), rows.length)).toBe(TASK_SHAPES[name]);
  });
});
