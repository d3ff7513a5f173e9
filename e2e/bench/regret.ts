// What the studio recommends for new data, beside the best of a grid and the defaults of other tools: trained with the same
// rows by the built-in trainer, measured on rows that are held out. REGRET_FOLDER keeps each run, so that a bench that was
// stopped goes on, and several may share the work by REGRET_TASKS; REGRET_PART is `tasks`, `left-out` or `large`.
// REGRET_KEEP=1 keeps what ran of the tasks among the runs behind recommendations; never what is left out. REGRET_SHOW=1 only prints.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CalibrationRun, CalibrationTask } from '#features/experiments/shared/measured/calibration.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { trainingEstimate } from '#trainer/shared/trainingEstimate.ts';
import { BASE, readResults, writeResults } from '../tools/calibrate/results.ts';
import { loadTask, toTaskRecord, trainOnce, type LoadedTask, type Outcome } from '../tools/calibrate/trainOnce.ts';
import { toDefaults, toGrid, toRecommended, toRuleText, type RegretRule, type RuleSettings } from './regretRules.ts';
import { isFreeText, LARGE_TASK, LEFT_OUT, REGRET_TASKS, toRegretRows, type RegretTask } from './regretTasks.ts';
import { amount, isShort } from './short.ts';

const ROWS = amount(160, 12);
const HELD_OUT = amount(60, 6);
const LARGE_ROWS = amount(1000, 12);
const LARGE_HELD_OUT = amount(200, 6);
const SEEDS = Number(process.env['REGRET_SEEDS'] ?? amount(2, 1));
const LARGE_SEEDS = amount(5, 1);
/** So many of the best of the grid run with all seeds: the best of one seed is seldom the best of two. */
const BEST = 3;
const DATA_SEED = 5;
const FOLDER = process.env['REGRET_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'bench-regret-'));
const FILE = join(FOLDER, 'runs.jsonl');
/** Losses below this are as good as each other. */
const NO_LOSS = 0.01;
/** As good as the best: at most so much worse. */
const NEAR = 0.03;

/** Only print what has run. */
const isShown = process.env['REGRET_SHOW'] === '1';

interface Run extends Outcome {
  readonly task: string;
  readonly rows: number;
  readonly settings: string;
  readonly seed: number;
}

const print = (line: string): void => void process.stdout.write(`  ${line}\n`);

function readRuns(): readonly Run[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const runs = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Run);
  // Two that share the work may have run the same.
  const byKey = new Map(runs.map((run) => [JSON.stringify([run.task, run.rows, run.settings, run.seed]), run]));
  return [...byKey.values()];
}

interface OpenTask {
  readonly name: RegretTask;
  readonly loaded: LoadedTask;
  readonly facts: CalibrationTask;
  readonly rows: number;
  readonly recommended: RuleSettings;
  readonly tokens: number;
}

function openTask(name: RegretTask, rows: number, heldOut: number): OpenTask {
  const lines = toRegretRows(name, rows + heldOut, DATA_SEED);
  const [training, validation] = [lines.slice(0, rows), lines.slice(rows)];
  const loaded = loadTask(BASE, training, validation);
  const tokens = loaded.training.reduce((sum, row) => sum + row.tokens.length, 0);
  const { answer_shape, ...said } = toRecommended(training, validation);
  const facts = toTaskRecord({ name, answer_shape, lines: training, loaded });
  return { name, loaded, facts, rows, tokens, recommended: { ...said, n_epochs: isShort ? 1 : said.n_epochs } };
}

const isRunOf =
  ({ name, rows }: OpenTask, settings: RuleSettings) =>
  (run: Run): boolean =>
    run.task === name && run.rows === rows && run.settings === toRuleText(settings);

async function train(task: OpenTask, settings: RuleSettings, seed: number): Promise<void> {
  if (readRuns().some((run) => isRunOf(task, settings)(run) && run.seed === seed)) return;
  const outcome = await trainOnce(task.loaded, settings, seed, settings.chosen);
  const run: Run = { task: task.name, rows: task.rows, settings: toRuleText(settings), seed, ...outcome };
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(FILE, `${JSON.stringify(run)}\n`);
}

interface Result {
  readonly settings: RuleSettings;
  readonly seeds: number;
  /** Exact match, or the loss of free text. */
  readonly value: number;
}

/** The mean of the seeds; null: it has not run. A run that diverged has answered nothing. */
function toResult(task: OpenTask, settings: RuleSettings, runs: readonly Run[]): Result | null {
  const own = runs.filter(isRunOf(task, settings)).filter(({ seed }) => seed <= SEEDS);
  if (own.length === 0) return null;
  const values = own.map(({ loss, exact_match }) => (isFreeText(task.name) ? (loss ?? 20) : (exact_match ?? 0)));
  return { settings, seeds: own.length, value: values.reduce((sum, value) => sum + value, 0) / values.length };
}

/** How much worse, as a share of the best; below 0: better. */
function toWorse(name: RegretTask, value: number, best: number): number {
  if (isFreeText(name)) return (value + NO_LOSS) / (best + NO_LOSS) - 1;
  return best === 0 ? -value : 1 - value / best;
}

function toOrdered(task: OpenTask, runs: readonly Run[]): readonly Result[] {
  const results = toGrid(task.recommended).flatMap((settings) => toResult(task, settings, runs) ?? []);
  return results.toSorted((a, b) => (isFreeText(task.name) ? a.value - b.value : b.value - a.value));
}

const RECOMMENDED = 'recommended';

const toRules = ({ recommended, rows, tokens }: OpenTask): readonly RegretRule[] => [
  { name: RECOMMENDED, settings: recommended },
  ...toDefaults(rows, tokens / rows).map(({ name, settings }) => ({
    name,
    settings: { ...settings, n_epochs: isShort ? 1 : settings.n_epochs },
  })),
];

/** All rules with all seeds; of the grid only the best with more than one. Each on all tasks, so that a part is of use. */
async function trainAll(tasks: readonly OpenTask[]): Promise<void> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const all = tasks.map((task) => {
      const rules = toRules(task).map(({ settings }) => settings);
      const grid = seed === 1 ? toGrid(task.recommended) : toOrdered(task, readRuns()).map(({ settings }) => settings);
      return { task, all: [...rules, ...grid.slice(0, seed === 1 ? amount(99, 2) : BEST)] };
    });
    const most = Math.max(...all.map((each) => each.all.length));
    for (let at = 0; at < most; at += 1)
      for (const { task, all: settings } of all) {
        const one = settings[at];
        if (one) await train(task, one, seed);
      }
  }
}

function printTable(tasks: readonly OpenTask[]): void {
  const runs = readRuns();
  const worse: number[] = [];
  const table = tasks.map((task) => {
    const ordered = toOrdered(task, runs);
    const most = Math.max(...ordered.map(({ seeds }) => seeds));
    const best = ordered.find(({ seeds }) => seeds === most);
    const rules = toRules(task).map(({ name, settings }) => ({ name, result: toResult(task, settings, runs) }));
    const ours = rules[0]?.result;
    if (best && ours) worse.push(toWorse(task.name, ours.value, best.value));
    print(
      `${task.name}${isFreeText(task.name) ? ' (loss)' : ''}: ` +
        [...rules, { name: `best of the grid (${best ? toRuleText(best.settings) : 'none'})`, result: best ?? null }]
          .map(({ name, result }) => `${name} ${result ? `${result.value.toFixed(3)} x${result.seeds}` : '-'}`)
          .join('; '),
    );
    return { task, rules };
  });
  const near = worse.filter((share) => share <= NEAR).length;
  print(`recommended at most ${NEAR * 100} % worse than the best of the grid: ${near} of ${worse.length} tasks`);
  for (const isText of [false, true])
    for (const name of table[0]?.rules.map((rule) => rule.name) ?? []) {
      const own = table.filter(({ task }) => isFreeText(task.name) === isText);
      const values = own.flatMap(({ rules }) => rules.find((rule) => rule.name === name)?.result?.value ?? []);
      if (values.length === 0) continue;
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      print(`${isText ? 'mean loss of free text' : 'mean exact match'}, ${name}: ${mean.toFixed(3)}`);
    }
}

const toKept = (
  { task, seed, steps, loss, exact_match, cpu_seconds }: Run,
  { lora, learning_rate, batch_size, n_epochs }: RuleSettings,
): CalibrationRun => ({
  task,
  lora,
  learning_rate,
  batch_size,
  n_epochs,
  seed,
  steps,
  loss,
  exact_match,
  cpu_seconds,
});

/** Keeps the grid's runs among those behind recommendations, where these can have such settings. */
function keepRuns(tasks: readonly OpenTask[]): void {
  const results = readResults();
  const names = new Set<string>(tasks.map(({ name }) => name));
  const runs = tasks.flatMap((task) =>
    toGrid(task.recommended)
      .filter(({ chosen }) => Object.keys(chosen).length === 0)
      .flatMap((settings) =>
        readRuns()
          .filter(isRunOf(task, settings))
          .map((run) => toKept(run, settings)),
      ),
  );
  writeResults({
    ...results,
    tasks: [...results.tasks.filter(({ name }) => !names.has(name)), ...tasks.map(({ facts }) => facts)],
    runs: [...results.runs.filter(({ task }) => !names.has(task)), ...runs],
  });
}

/** A thousand rows with what is recommended, in five seeds, and the time that the studio says beside what it took. */
async function measureLarge(): Promise<void> {
  const task = openTask(LARGE_TASK, LARGE_ROWS, LARGE_HELD_OUT);
  const { recommended, loaded, tokens } = task;
  const { seconds } = trainingEstimate({
    shape: readModel(BASE).shape,
    rank: recommended.lora ? (recommended.chosen.lora_rank ?? 8) : null,
    longest: Math.max(...loaded.training.map((row) => row.tokens.length)),
    rows: task.rows,
    tokens,
    epochs: recommended.n_epochs,
    batchSize: recommended.batch_size,
    threads: 1,
    measuredSpeed: null,
  });
  print(`${task.name}, ${task.rows} rows: ${toRuleText(recommended)}; the studio says ${seconds.value.toFixed(0)} s`);
  for (let seed = 1; seed <= LARGE_SEEDS; seed += 1) {
    if (!isShown) await train(task, recommended, seed);
    const run = readRuns().find((each) => isRunOf(task, recommended)(each) && each.seed === seed);
    print(
      `seed ${seed}: ${run ? `exact match ${run.exact_match ?? 'none, it diverged'}, ${run.cpu_seconds} s of the processor` : 'not run'}`,
    );
  }
}

export async function measureRegret(): Promise<void> {
  const parts = process.env['REGRET_PART']?.split(',') ?? ['tasks', 'left-out', 'large'];
  const wanted = process.env['REGRET_TASKS']?.split(',');
  for (const [part, names] of [
    ['tasks', REGRET_TASKS],
    ['left-out', LEFT_OUT],
  ] as const) {
    const own = names.filter((name) => wanted?.includes(name) ?? true).slice(0, amount(99, 1));
    if (!parts.includes(part) || own.length === 0) continue;
    const tasks = own.map((name) => openTask(name, ROWS, HELD_OUT));
    if (!isShown) await trainAll(tasks);
    print(`${part}, ${ROWS} rows, ${HELD_OUT} held out, kept in ${FOLDER}`);
    printTable(tasks);
    if (part === 'tasks' && process.env['REGRET_KEEP'] === '1') keepRuns(tasks);
  }
  if (parts.includes('large')) await measureLarge();
}
