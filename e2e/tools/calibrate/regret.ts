// How far each rule's settings are from the best that was found on each task. Pure.
import {
  toMeasuredRuns,
  toSeedRuns,
  type Calibration,
  type CalibrationRun,
  type CalibrationTask,
  type SeedRuns,
} from '#features/experiments/shared/measured/calibration.ts';
import { NO_LOSS } from '#features/experiments/shared/measured/nearest.ts';
import type { MeasuredRun, Settings, TaskFacts } from '#features/experiments/shared/measured/measuredRun.ts';
import { GRID_SIZE, isOnGrid, toSettingsName } from './grid.ts';
import { RULES, type Rule } from './rules.ts';

/** Our rule for a task gets the runs of all others; that is what it would have known. */
export function toRuleSettings(rule: Rule, calibration: Calibration, task: CalibrationTask): Settings | null {
  const others = toMeasuredRuns(calibration).filter((run: MeasuredRun) => run.task !== task.name);
  const { rows, bytes_per_row, tokens_per_row, answer_shape } = task;
  const facts: TaskFacts = { rows, bytes_per_row, tokens_per_row, answer_shape, parameters: calibration.parameters };
  return rule.toSettings(facts, others);
}

export const findSeedRuns = (runs: readonly CalibrationRun[], task: string, settings: Settings): SeedRuns | null =>
  toSeedRuns(runs).find((each) => each.task === task && toSettingsName(each) === toSettingsName(settings)) ?? null;

interface RegretCell {
  readonly task: string;
  readonly settings: Settings;
  /** null: it diverged. */
  readonly loss: number | null;
  readonly exact_match: number | null;
  readonly best_loss: number;
  readonly best_exact_match: number;
  /** The loss to the best one, both with what counts as none added; 1 for the best. */
  readonly ratio: number | null;
  /** Its standard error by the seeds of both; null: one of them has run once. */
  readonly error: number | null;
}

export interface RegretLine {
  readonly rule: string;
  /** Tasks on which the rule's settings have run. */
  readonly cells: readonly RegretCell[];
}

/**
 * The best settings by their mean, of those that have had the most seeds on that task: the best of many single runs is
 * the luckiest of them. null: nothing has run.
 */
function findBest(runs: readonly CalibrationRun[], task: string): SeedRuns | null {
  const own = toSeedRuns(runs.filter((run) => run.task === task)).filter(({ loss }) => loss !== null);
  const most = Math.max(...own.map((each) => each.runs.length));
  const [best] = own.filter((each) => each.runs.length === most).toSorted((a, b) => (a.loss ?? 0) - (b.loss ?? 0));
  return best ?? null;
}

/** The standard error of the mean loss, as a share of it. null: a single run has none. */
function toError({ runs, loss }: SeedRuns): number | null {
  if (loss === null || runs.length < 2) return null;
  const squares = runs.reduce((sum, run) => sum + ((run.loss ?? loss) - loss) ** 2, 0);
  return Math.sqrt(squares / (runs.length - 1) / runs.length) / (loss + NO_LOSS);
}

function toRatio(own: SeedRuns, best: SeedRuns): Pick<RegretCell, 'ratio' | 'error'> {
  if (own.loss === null || best.loss === null) return { ratio: null, error: null };
  const ratio = (own.loss + NO_LOSS) / (best.loss + NO_LOSS);
  if (toSettingsName(own) === toSettingsName(best)) return { ratio, error: 0 };
  const [ownError, bestError] = [toError(own), toError(best)];
  return { ratio, error: ownError === null || bestError === null ? null : ratio * Math.hypot(ownError, bestError) };
}

export function toRegrets(calibration: Calibration): readonly RegretLine[] {
  const { runs, tasks } = calibration;
  return RULES.map((rule) => ({
    rule: rule.name,
    cells: tasks.flatMap((task): RegretCell[] => {
      const settings = toRuleSettings(rule, calibration, task);
      const own = settings && findSeedRuns(runs, task.name, settings);
      const best = findBest(runs, task.name);
      if (!own || !best || settings === null) return [];
      const { loss, exact_match } = own;
      const bests = { best_loss: best.loss ?? 0, best_exact_match: best.exact_match ?? 0 };
      return [{ task: task.name, settings, loss, exact_match, ...bests, ...toRatio(own, best) }];
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
    tried: toSeedRuns(runs).filter((run) => run.task === name && isOnGrid(run)).length,
    of: GRID_SIZE,
  }));

const toShare = (value: number | null): string => (value === null ? 'failed' : `${Math.round(value * 100)} %`);
const toLoss = (value: number | null): string => (value === null ? 'failed' : value.toPrecision(2));

/** The table in Markdown: loss and exact match of each rule on each task, and of the best that was found. */
export function toRegretTable(calibration: Calibration): string {
  const lines = toRegrets(calibration);
  const names = calibration.tasks.map(({ name }) => name);
  const toRow = (first: string, cells: readonly string[]): string => `| ${[first, ...cells].join(' | ')} |`;
  const toCells = (toText: (name: string) => string): readonly string[] => names.map(toText);
  const [ours] = lines;
  return [
    toRow('rule', names),
    toRow(
      '---',
      toCells(() => '---'),
    ),
    ...lines.map(({ rule, cells }) =>
      toRow(
        rule,
        toCells((name) => {
          const cell = cells.find(({ task }) => task === name);
          if (!cell) return 'not run';
          return cell.loss === null ? 'failed' : `${toLoss(cell.loss)}, ${toShare(cell.exact_match)}`;
        }),
      ),
    ),
    toRow(
      'best that was found',
      toCells((name) => {
        const best = findBest(calibration.runs, name);
        return best ? `${toLoss(best.loss)}, ${toShare(best.exact_match)}` : '';
      }),
    ),
    toRow(
      'ours to the best',
      toCells((name) => {
        const { ratio = null, error = null } = ours?.cells.find(({ task }) => task === name) ?? {};
        return ratio === null ? '' : `${ratio.toFixed(2)}${error === null ? '' : ` ± ${error.toFixed(2)}`}`;
      }),
    ),
    toRow(
      'seeds of the best',
      toCells((name) => String(findBest(calibration.runs, name)?.runs.length ?? 0)),
    ),
    toRow(
      'share of the grid',
      toGridShares(calibration).map(({ tried, of }) => `${tried} of ${of}`),
    ),
  ].join('\n');
}
