// Tokens of the built-in trainer's process for each second of processor time, beside the bare step: passes and AdamW on
// ready-made batches. Processor time, because a busy machine slows both by turns. Then by the clock, in turns: on one thread,
// on all, the trainer of a checkout (`BASELINE=/path/to/checkout`), and PyTorch (`PYTHON=/path/to/python`, with transformers
// and peft).
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTrainerLine } from '#trainer/protocol/trainerProtocol.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { toBatch, toRowLength } from '#trainer/model/batch.ts';
import { openTransformer } from '#trainer/model/transformer.ts';
import { loadWeights, startAdapter } from '#trainer/model/weights.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { readRows } from '#trainer/text/readRows.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { trainerCommand } from '#trainer/trainerCommand.ts';
import { planEpoch, SEQUENCE_TOKENS } from '#trainer/training/packing.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const ROUNDS = amount(3, 1);
const ROWS = amount(600, 24);
const BATCH = 8;
const THREADS = availableParallelism();
const LORA = { rank: 8, alpha: 16 };
const BASE = new URL('../../src/features/projects/server/sample/support-base.Q8_0.gguf', import.meta.url).pathname;
const DATA = new URL('../../src/features/projects/server/sample/triage.train.jsonl', import.meta.url).pathname;

type Kind = 'full' | 'lora';

interface Speed {
  /** For each second of processor time. */
  readonly rate: number;
  readonly detail: string;
}

interface ProcessSpeed extends Speed {
  /** For each second by the clock. */
  readonly byClock: number;
}

const readLines = (): readonly string[] => readFileSync(DATA, 'utf8').split('\n').slice(0, ROWS);

/** Seconds of processor time of a process, and its highest memory in MB, as Linux tells them. */
function readUsage(pid: number): { readonly seconds: number; readonly memory: number } {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  const memory = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { seconds: (user + system) / 100, memory: Number(memory) / 1024 };
}

/** The process, from its first to its last step. */
async function measureProcess(kind: Kind, [program = '', ...args]: readonly string[]): Promise<ProcessSpeed> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-train-'));
  const [training, validation, path] = ['t.jsonl', 'v.jsonl', 'job.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(training, readLines().join('\n'));
  writeFileSync(validation, '');
  const job = {
    protocol: 1,
    experiment_id: '00000000-0000-4000-8000-000000000000',
    base: { id: 'base', file: BASE, adapter: null, context: null },
    data: { training, validation },
    output: join(folder, 'output'),
    resume: false,
    training_type: kind,
    n_epochs: 1,
    batch_size: BATCH,
    learning_rate: 1e-3,
    lora: kind === 'lora' ? LORA : null,
    seed: 1,
    checkpoint_every: 25,
  };
  writeFileSync(path, JSON.stringify(job));
  const child = spawn(program, [...args, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let rest = '';
  let first = 0;
  let last = 0;
  let steps = 0;
  let tokensPerStep = 0;
  let memory = 0;
  let begun = 0;
  let ended = 0;
  child.stdout.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.map(parseTrainerLine)) {
      if (event.type === 'start') tokensPerStep = event.tokens_per_step ?? 0;
      if (event.type !== 'progress') continue;
      const usage = readUsage(child.pid ?? 0);
      last = usage.seconds;
      first ||= last;
      ended = performance.now();
      begun ||= ended;
      steps = event.step;
      ({ memory } = usage);
    }
  });
  await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true });
  const tokens = (steps - 1) * tokensPerStep;
  return {
    rate: tokens / (last - first),
    byClock: (tokens * 1000) / (ended - begun),
    detail: `${Math.round(memory)} MB`,
  };
}

/** The base, and the batches of an epoch as rows. */
function readBatches() {
  const source = readModel(BASE);
  const tokenizer = openTokenizer(source.header);
  const template = openModelTemplate(source.header, tokenizer);
  const { rows } = readRows(readLines().join('\n'), { template, tokenizer, most: source.shape.context });
  const plan = planEpoch(rows.map(toRowLength), BATCH * SEQUENCE_TOKENS, 1, 0);
  return { source, batches: plan.map((batch) => batch.flatMap((row) => rows[row] ?? [])) };
}

/** Passes and AdamW alone, on batches that are there already. */
function measureBare(kind: Kind): Speed {
  const { source, batches: rowBatches } = readBatches();
  const adapter = kind === 'lora' ? LORA : null;
  const longest = Math.max(...rowBatches.flat().map(({ tokens }) => tokens.length));
  const model = openTransformer({ shape: source.shape, adapter, maxTokens: BATCH * SEQUENCE_TOKENS, maxRow: longest });
  loadWeights(model, source);
  if (adapter !== null) startAdapter(model, adapter.rank, 1);
  const batches = rowBatches.map(toBatch);
  const { trained, memory } = model;
  const { weights, gradients, means, squares } = trained;
  const step = (index: number): void => {
    const batch = batches[index];
    if (batch === undefined) return;
    model.clearGradients();
    model.train(batch, 1 / batch.targets.length);
    const norm = Math.sqrt(memory.kernels.sumSquares(gradients.at, gradients.count));
    const factor = Math.min(1, 1 / norm);
    memory.kernels.adamW(
      weights.at,
      gradients.at,
      means.at,
      squares.at,
      weights.count,
      factor,
      0.9,
      0.98,
      1e-4,
      1,
      1e-8,
      0,
    );
    model.refresh();
  };
  step(0);
  const cpu = process.cpuUsage();
  for (let index = 1; index < batches.length; index += 1) step(index);
  const tokens = batches.slice(1).reduce((sum, batch) => sum + batch.tokens.length, 0);
  const used = process.cpuUsage(cpu);
  const seconds = (used.user + used.system) / 1e6;
  return {
    rate: tokens / seconds,
    detail: `${(seconds / (batches.length - 1)).toFixed(2)} s a step`,
  };
}

/** Rows padded to the longest of their batch, on all processors. Returns tokens for each second by the clock, padding left out. */
function measureTorch(kind: Kind, python: string): number {
  const { source, batches } = readBatches();
  const input = JSON.stringify({
    shape: source.shape,
    threads: THREADS,
    lora: kind === 'lora' ? LORA : null,
    batches: batches.map((rows) =>
      rows.map(({ tokens, isTarget }) => ({ tokens: [...tokens], is_target: [...isTarget] })),
    ),
  });
  const script = new URL('trainTorch.py', import.meta.url).pathname;
  return Number(execFileSync(python, [script], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }));
}

/** By the clock, in turns: the best and the middle of all rounds. */
async function compareByClock(kind: Kind): Promise<void> {
  const { BASELINE: baseline, PYTHON: python } = process.env;
  const ours = (threads: number) => async (): Promise<number> => {
    const { command, args } = trainerCommand(threads);
    return (await measureProcess(kind, [command, ...args])).byClock;
  };
  const variants: Record<string, () => Promise<number>> = {
    'one thread': ours(1),
    [`${THREADS} threads`]: ours(THREADS),
  };
  if (baseline !== undefined)
    variants['baseline'] = async () =>
      (await measureProcess(kind, [process.execPath, join(baseline, 'src/trainer/trainerStart.mjs')])).byClock;
  if (python !== undefined) variants['PyTorch'] = async () => measureTorch(kind, python);
  const found = Object.keys(variants).map((name) => ({ name, rates: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, rates } of found) rates.push((await variants[name]?.()) ?? Number.NaN);
  const texts = found.map(
    ({ name, rates }) => `${name} ${Math.round(Math.max(...rates))}, in the middle ${Math.round(median(rates))}`,
  );
  process.stdout.write(`  by the clock, tokens/s, load ${loadavg()[0]?.toFixed(1)}: ${texts.join('; ')}\n`);
}

export async function measureTrain(): Promise<void> {
  const { command, args } = trainerCommand(1);
  for (const kind of ['full', 'lora'] as const) {
    const whole: Speed[] = [];
    const bare: Speed[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      whole.push(await measureProcess(kind, [command, ...args]));
      bare.push(measureBare(kind));
    }
    const [ours, base] = [whole, bare].map((all) => median(all.map(({ rate }) => rate))) as [number, number];
    process.stdout.write(
      `${kind === 'lora' ? 'LoRA, rank 8' : 'all weights'}: ${Math.round(ours)} tokens/s, ${whole.at(-1)?.detail}; ` +
        `bare step ${Math.round(base)} tokens/s, ${bare.at(-1)?.detail}; ${(ours / base).toFixed(2)} times\n`,
    );
    await compareByClock(kind);
  }
}
