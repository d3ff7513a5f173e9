// `npm run calibrate -- --minutes 60 [--share 0.2] [--seeds 3] [--tasks events,dates]`: trains small tasks with settings of
// a grid, in minutes of the processor and up to a share of it, then the best with more seeds; `--table` only prints. What
// has run is kept in calibration.json of features/experiments/shared/measured: after a kill the next call goes on.
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { toSeedRuns, type CalibrationTask } from '#features/experiments/shared/measured/calibration.ts';
import type { Settings } from '#features/experiments/shared/measured/measuredRun.ts';
import { GRID_SIZE, isOnGrid, toNext, toSettingsName } from './grid.ts';
import { findSeedRuns, toRegretTable, toRuleSettings } from './regret.ts';
import { BASE, readResults, writeResults } from './results.ts';
import { OURS, RULES } from './rules.ts';
import { toNextSeed } from './seeds.ts';
import { TASK_NAMES, TASK_SHAPES, toTaskRows, type TaskName } from './tasks.ts';
import { loadTask, toTaskRecord, trainOnce, type LoadedTask } from './trainOnce.ts';

const ROWS = 150;
const HELD_OUT = 60;
const SEED = 11;
/** So much of the time is for the grid; the rest is for more seeds, and for what the rules say. */
const GRID_TIME = 0.7;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    share: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: TASK_NAMES.join(',') },
    table: { type: 'boolean', default: false },
  },
});

interface OpenTask {
  readonly name: TaskName;
  readonly loaded: LoadedTask;
  readonly facts: CalibrationTask;
}

function openTask(name: TaskName): OpenTask {
  const lines = toTaskRows(name, ROWS + HELD_OUT, SEED);
  const training = lines.slice(0, ROWS);
  const loaded = loadTask(BASE, training, lines.slice(ROWS));
  const facts = toTaskRecord({ name, answer_shape: TASK_SHAPES[name], lines: training, loaded });
  return { name, loaded, facts };
}

const minutes = Number(values.minutes);
const most = Number(values.share) * GRID_SIZE;
const seeds = Number(values.seeds);
const wanted = values.tasks.split(',').map((text) => TASK_NAMES.find((name) => name === text));
if (!(minutes > 0) || !(most >= 0) || !(seeds >= 1) || wanted.includes(undefined))
  throw new Error(`Usage: --minutes 60 --share 1 --seeds 3 --tasks ${TASK_NAMES.join(',')}`);

let results = readResults();
const usedMinutes = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 60e6;
};

/** Runs settings with the first seed that they have not had. */
async function run({ name, loaded }: OpenTask, settings: Settings, why: string): Promise<void> {
  const seed = (findSeedRuns(results.runs, name, settings)?.runs.length ?? 0) + 1;
  const { lora, learning_rate, batch_size, n_epochs } = settings;
  const outcome = await trainOnce(loaded, settings, seed);
  const entry = { task: name, lora, learning_rate, batch_size, n_epochs, seed, ...outcome };
  results = { ...results, runs: [...results.runs, entry] };
  writeResults(results);
  process.stdout.write(
    `${usedMinutes().toFixed(1)} min  ${name} ${toSettingsName(settings)}, seed ${seed}: loss ${outcome.loss ?? 'diverged'}, ` +
      `exact ${outcome.exact_match ?? '-'} (${outcome.cpu_seconds} s, ${why})\n`,
  );
}

/** Runs what each rule says and has not run yet; ours with all seeds. */
async function runRules(tasks: readonly OpenTask[]): Promise<void> {
  for (const rule of RULES)
    for (const task of tasks) {
      const settings = toRuleSettings(rule, results, task.facts);
      if (settings === null) continue;
      const known = findSeedRuns(results.runs, task.name, settings)?.runs.length ?? 0;
      for (let count = known; count < (rule.name === OURS ? seeds : 1) && usedMinutes() <= minutes; count += 1)
        await run(task, settings, rule.name);
    }
}

/** Runs the best settings of each task with more seeds: one run alone may be lucky. */
async function runSeeds(tasks: readonly OpenTask[]): Promise<void> {
  for (const task of tasks)
    for (;;) {
      const own = toSeedRuns(results.runs.filter((entry) => entry.task === task.name));
      const settings = toNextSeed(own, seeds);
      if (settings === null || usedMinutes() > minutes) break;
      await run(task, settings, 'more seeds');
    }
}

const toTokens = ({ facts }: OpenTask): number => facts.tokens_per_row;

/** The next place of the grid, on the task and way of training that has had the fewest runs, short rows first. */
function toTurn(tasks: readonly OpenTask[]): { readonly task: OpenTask; readonly settings: Settings } | null {
  const turns = tasks.flatMap((task) => {
    const own = toSeedRuns(results.runs.filter((entry) => entry.task === task.name));
    const onGrid = own.filter(isOnGrid);
    if (onGrid.length >= most) return [];
    return [false, true].flatMap((lora) => {
      const settings = toNext(
        lora,
        own.map((entry) => ({ settings: entry, loss: entry.loss })),
      );
      return settings ? [{ task, settings, count: onGrid.filter((entry) => entry.lora === lora).length }] : [];
    });
  });
  return turns.toSorted((a, b) => a.count - b.count || toTokens(a.task) - toTokens(b.task))[0] ?? null;
}

if (!values.table) {
  setPriority(constants.priority.PRIORITY_LOW);
  const tasks = wanted.flatMap((name) => (name === undefined ? [] : [openTask(name)]));
  const known = new Set(results.tasks.map(({ name }) => name));
  results = {
    ...results,
    tasks: [...results.tasks, ...tasks.flatMap(({ facts }) => (known.has(facts.name) ? [] : [facts]))],
  };
  for (let turn = toTurn(tasks); turn !== null && usedMinutes() < minutes * GRID_TIME; turn = toTurn(tasks))
    await run(turn.task, turn.settings, 'grid');
  await runSeeds(tasks);
  await runRules(tasks);
}
process.stdout.write(`${toRegretTable(results)}\n`);
