// How far each rule's settings are from the best that was found on each task. Pure.
import {
  toMeasuredRuns,
  type Calibration,
  type CalibrationRun,
  type CalibrationTask,
} from '#shared/training/measured/calibration.ts';
import type { MeasuredRun, Settings, TaskFacts } from '#shared/training/measured/measuredRun.ts';
import { GRID_SIZE, isOnGrid, toSettingsName } from './grid.ts';
import { RULES, type Rule } from './rules.ts';

/** Our rule for a task gets the runs of all others; that is what it would have known. */
export function toRuleSettings(rule: Rule, calibration: Calibration, task: CalibrationTask): Settings | null {
  const others = toMeasuredRuns(calibration).filter((run: MeasuredRun) => run.task !== task.name);
  const { rows, bytes_per_row, tokens_per_row, answer_shape } = task;
  const facts: TaskFacts = { rows, bytes_per_row, tokens_per_row, answer_shape, parameters: calibration.parameters };
  return rule.toSettings(facts, others);
}

export const findRun = (runs: readonly CalibrationRun[], task: string, settings: Settings): CalibrationRun | null =>
  runs.find((run) => run.task === task && toSettingsName(run) === toSettingsName(settings)) ?? null;

interface RegretCell {
  readonly task: string;
  readonly settings: Settings;
  /** null: it diverged. */
  readonly loss: number | null;
  readonly exact_match: number | null;
  readonly best_loss: number;
  readonly best_exact_match: number;
}

export interface RegretLine {
  readonly rule: string;
  /** Tasks on which the rule's settings have run. */
  readonly cells: readonly RegretCell[];
}

function toBest(runs: readonly CalibrationRun[], task: string) {
  const own = runs.filter((run) => run.task === task);
  return {
    loss: Math.min(...own.flatMap(({ loss }) => loss ?? [])),
    exact_match: Math.max(0, ...own.flatMap(({ exact_match }) => exact_match ?? [])),
  };
}

export function toRegrets(calibration: Calibration): readonly RegretLine[] {
  const { runs, tasks } = calibration;
  return RULES.map((rule) => ({
    rule: rule.name,
    cells: tasks.flatMap((task): RegretCell[] => {
      const settings = toRuleSettings(rule, calibration, task);
      const run = settings && findRun(runs, task.name, settings);
      if (!run || settings === null) return [];
      const best = toBest(runs, task.name);
      const { loss, exact_match } = run;
      return [
        { task: task.name, settings, loss, exact_match, best_loss: best.loss, best_exact_match: best.exact_match },
      ];
    }),
  }));
}

export interface GridShare {
  readonly task: string;
  readonly tried: number;
  readonly of: number;
}

/** How much of the grid has run on each task: the best of the grid is known only as far as that. */
export const toGridShares = ({ tasks, runs }: Calibration): readonly GridShare[] =>
  tasks.map(({ name }) => ({
    task: name,
    tried: runs.filter((run) => run.task === name && isOnGrid(run)).length,
    of: GRID_SIZE,
  }));

const toShare = (value: number | null): string => (value === null ? 'failed' : `${Math.round(value * 100)} %`);
const toLoss = (value: number | null): string => (value === null ? 'failed' : value.toPrecision(2));

/** The table in Markdown: loss and exact match of each rule on each task, and of the best that was found. */
export function toRegretTable(calibration: Calibration): string {
  const lines = toRegrets(calibration);
  const names = calibration.tasks.map(({ name }) => name);
  const best = names.map((name) => {
    const found = toBest(calibration.runs, name);
    return Number.isFinite(found.loss) ? `${toLoss(found.loss)}, ${toShare(found.exact_match)}` : '';
  });
  const toRow = (first: string, cells: readonly string[]): string => `| ${[first, ...cells].join(' | ')} |`;
  return [
    toRow('rule', names),
    toRow(
      '---',
      names.map(() => '---'),
    ),
    ...lines.map(({ rule, cells }) =>
      toRow(
        rule,
        names.map((name) => {
          const cell = cells.find(({ task }) => task === name);
          if (!cell) return 'not run';
          return cell.loss === null ? 'failed' : `${toLoss(cell.loss)}, ${toShare(cell.exact_match)}`;
        }),
      ),
    ),
    toRow('best that was found', best),
    toRow(
      'share of the grid',
      toGridShares(calibration).map(({ tried, of }) => `${tried} of ${of}`),
    ),
  ].join('\n');
}
