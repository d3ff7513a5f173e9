// Does the built-in trainer learn preferences as TRL does, and does GRPO of TRL by the studio? Three short runs of DPO and KTO
// here, the same batches by `preference.py`: losses, gradient norms, rewards and weights are compared. Then a job of the studio.
// Arguments: the Python with TRL, a folder to work in.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toRowLength } from '#trainer/model/batch.ts';
import { readModel } from '#trainer/files/readModel.ts';
import type { AdapterShape } from '#trainer/model/memory.ts';
import { EMBEDDING } from '#trainer/model/tensorPlan.ts';
import { loadWeights, startAdapter } from '#trainer/model/weights.ts';
import { openPreferenceRun, planPreferenceEpochs } from '#trainer/preference/preferenceTraining.ts';
import { readComparisons } from '#trainer/preference/readComparisons.ts';
import { toThreadTokens } from '#trainer/shared/threads.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { openCrew } from '#trainer/threads/crew.ts';
import { trainByRewards } from './preferenceRewards.ts';

const [python = '', work = ''] = process.argv.slice(2);
const SAMPLE = fileURLToPath(new URL('../../src/features/projects/server/sample/', import.meta.url));
const BASE = join(SAMPLE, 'support-replies-1.Q8_0.gguf');
const PAIRS = 40;
const THREADS = 2;
/** What rounding in another order makes of some steps; another loss or another rule is a hundred times as far. */
const MOST_OFF = 2e-3;

interface Pair {
  readonly messages: unknown;
  readonly chosen: unknown;
  readonly rejected: unknown;
}

const lines = readFileSync(join(SAMPLE, 'preferences.train.jsonl'), 'utf8').trim().split('\n').slice(0, PAIRS);
const pairs = lines.map((line) => JSON.parse(line) as Pair);

interface Case {
  readonly objective: 'dpo' | 'kto';
  readonly lora: AdapterShape | null;
  readonly rate: number;
}

const runPython = (...given: readonly string[]): void => {
  execFileSync(python, [join(import.meta.dirname, 'preference.py'), ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** A row of TRL for one comparison. */
function toRow(objective: Case['objective'], unit: number): object {
  const { messages: prompt, chosen, rejected } = pairs[objective === 'dpo' ? unit : Math.floor(unit / 2)]!;
  if (objective === 'dpo') return { prompt, chosen, rejected };
  const label = unit % 2 === 0;
  return { prompt, completion: label ? chosen : rejected, label };
}

/** The furthest that two curves are apart, as a part of the greatest value. */
function toDistance(own: readonly number[], theirs: readonly number[]): number {
  const greatest = Math.max(...theirs.map(Math.abs));
  return Math.max(...own.map((value, at) => Math.abs(value - (theirs[at] ?? Number.NaN)))) / greatest;
}

interface TrlRun {
  readonly curve: readonly Readonly<Record<string, number>>[];
  /** The distance of the final weights from ours, as a part of the way that they moved. */
  readonly off: number;
}

/** How far our run is from that of TRL, by name. */
async function compare({ objective, lora, rate }: Case): Promise<Readonly<Record<string, number>>> {
  const folder = join(work, `${objective}-${lora ? 'lora' : 'full'}`);
  mkdirSync(folder, { recursive: true });
  const source = readModel(BASE);
  const tokenizer = openTokenizer(source.header);
  const template = openModelTemplate(source.header, tokenizer);
  const reader = { template, tokenizer, most: source.shape.context };
  const { rows } = readComparisons(lines.join('\n'), objective, reader);
  const weights = { desirable: 1, undesirable: objective === 'kto' ? 1.5 : 1 };
  const schedule = { warmup_steps: 0, scheduler: 'constant' } as const;
  const settings = { objective, beta: 0.1, weights, epochs: 2, batchSize: 8, rate, seed: 3, schedule };
  const lengths = rows.map(({ answers }) => answers.reduce((sum, row) => sum + toRowLength(row), 0));
  const maxTokens = toThreadTokens(THREADS, Math.max(...lengths));
  const maxRow = Math.max(...rows.flatMap(({ answers }) => answers.map(({ tokens }) => tokens.length)));
  const crew = openCrew({ shape: source.shape, adapter: lora, maxTokens, maxRow, threads: THREADS });
  const { model } = crew;
  const write = (name: string, numbers: Float32Array): void => writeFileSync(join(folder, name), numbers);
  loadWeights(model, source);
  if (lora !== null) startAdapter(model, lora.rank, settings.seed);
  for (const name of model.trained.plan.places.keys())
    if (name.endsWith('.lora_a')) write(`start.${name}`, model.trainedTensor(name));
  const pause = async (): Promise<void> => {};
  const run = openPreferenceRun({ crew, training: rows, heldOut: [], settings, maxTokens, maxRow, pause });
  await run.prepare();
  const own: Awaited<ReturnType<typeof run.training.run>>[] = [];
  for (let step = 1; step <= run.training.steps; step += 1) own.push(await run.training.run(step));
  const tensors = [...model.memory.plan.places.values()].map(({ name, rows: all, columns }) => {
    const count = name === EMBEDDING ? source.shape.vocabulary : all;
    write(`end.${name}`, model.mergedTensor(name).subarray(0, count * columns));
    return { name, shape: [count, columns] };
  });
  await crew.end();
  const batches = planPreferenceEpochs(lengths, settings).flat();
  const job = { objective, base: BASE, lora, rate, ...weights, sizes: batches.map(({ length }) => length), tensors };
  writeFileSync(
    join(folder, 'rows.jsonl'),
    batches.flatMap((batch) => batch.map((unit) => `${JSON.stringify(toRow(objective, unit))}\n`)).join(''),
  );
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
  runPython('train', folder);
  const { curve, off } = JSON.parse(readFileSync(join(folder, 'curve.json'), 'utf8')) as TrlRun;
  const metrics = ['rewards/chosen', 'rewards/rejected', 'rewards/margins', ...(objective === 'kto' ? ['kl'] : [])];
  const theirs = (name: string): readonly number[] => curve.map((each) => each[name] ?? Number.NaN);
  return {
    steps: curve.length === own.length ? 0 : Number.NaN,
    loss: toDistance(
      own.map(({ loss }) => loss),
      theirs('loss'),
    ),
    norm: toDistance(
      own.map(({ norm }) => norm),
      theirs('grad_norm'),
    ),
    ...Object.fromEntries(
      metrics.map((name) => [
        name,
        toDistance(
          own.map((each) => each.metrics?.[name] ?? Number.NaN),
          theirs(name),
        ),
      ]),
    ),
    weights: off,
  };
}

const LORA: AdapterShape = { rank: 8, alpha: 16 };
const CASES: readonly Case[] = [
  { objective: 'dpo', lora: null, rate: 5e-5 },
  { objective: 'dpo', lora: LORA, rate: 3e-4 },
  { objective: 'kto', lora: LORA, rate: 3e-4 },
];

let furthest = 0;
for (const each of CASES) {
  const found = await compare(each);
  console.log(each.objective, each.lora === null ? 'full' : 'lora', JSON.stringify(found));
  furthest = Math.max(furthest, ...Object.values(found));
}
const isSame = furthest < MOST_OFF;
const folder = join(work, 'base');
runPython('save', BASE, folder);
const rewards = await trainByRewards({ python, base: BASE, folder, prompts: pairs.map(({ messages }) => messages) });
console.log(
  `DPO and KTO of ${CASES.length} runs ${isSame ? 'as' : 'not as'} TRL: losses, norms, rewards and weights at most ` +
    `${(furthest * 100).toFixed(2)} % apart; ${rewards.verdict}`,
);
process.exitCode = isSame && rewards.isRight ? 0 : 1;
