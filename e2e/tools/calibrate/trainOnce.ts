// One run in this process, with the trainer's own parts: settings in, validation measures out. Nothing is written.
import { toAdapter, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import { readModel, type ModelSource } from '#trainer/files/readModel.ts';
import { openTransformer } from '#trainer/model/transformer.ts';
import { loadWeights, startAdapter } from '#trainer/model/weights.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { readRows, type ReadRow } from '#trainer/text/readRows.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { toLoneCrew } from '#trainer/threads/crew.ts';
import { findDivergence } from '#trainer/training/schedule.ts';
import { measureHeldOut, openTraining } from '#trainer/training/training.ts';
import type { CalibrationTask } from '#features/experiments/shared/measured/calibration.ts';
import type { Settings } from '#features/experiments/shared/measured/measuredRun.ts';

const PASS_TOKENS = 1024;

export interface LoadedTask {
  readonly source: ModelSource;
  readonly training: readonly ReadRow[];
  readonly heldOut: readonly ReadRow[];
}

export interface Outcome {
  readonly steps: number;
  /** null: it diverged. */
  readonly loss: number | null;
  readonly exact_match: number | null;
  readonly cpu_seconds: number;
}

export function loadTask(base: string, training: readonly string[], heldOut: readonly string[]): LoadedTask {
  const source = readModel(base);
  const tokenizer = openTokenizer(source.header);
  const template = openModelTemplate(source.header, tokenizer);
  const read = (lines: readonly string[]): readonly ReadRow[] =>
    readRows(lines.join('\n'), { template, tokenizer, most: source.shape.context }).rows;
  return { source, training: read(training), heldOut: read(heldOut) };
}

const toMean = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);

function countBytes(line: string): number {
  const { messages } = JSON.parse(line) as { messages: readonly { content: string }[] };
  return Buffer.byteLength(messages.map(({ content }) => content).join(''));
}

/** What tells how near a task is to other data. `lines`: its training rows. */
export const toTaskRecord = ({
  loaded: { training, heldOut },
  lines,
  ...named
}: Pick<CalibrationTask, 'name' | 'answer_shape'> & {
  readonly lines: readonly string[];
  readonly loaded: LoadedTask;
}): CalibrationTask => ({
  ...named,
  rows: training.length,
  held_out_rows: heldOut.length,
  bytes_per_row: toMean(lines.map(countBytes)),
  tokens_per_row: toMean(training.map(({ tokens }) => tokens.length)),
});

const nothing = async (): Promise<void> => {};

export async function trainOnce(
  { source, training, heldOut }: LoadedTask,
  settings: Settings,
  seed: number,
  chosen: ChosenSettings = {},
): Promise<Outcome> {
  const from = process.cpuUsage();
  const toSeconds = (): number => {
    const { user, system } = process.cpuUsage(from);
    return Number(((user + system) / 1e6).toFixed(1));
  };
  const maxRow = Math.max(...[...training, ...heldOut].map(({ tokens }) => tokens.length));
  const maxTokens = Math.max(PASS_TOKENS, maxRow);
  const adapter = settings.lora ? toAdapter(chosen) : null;
  const model = openTransformer({ shape: source.shape, adapter, maxTokens, maxRow });
  loadWeights(model, source);
  if (adapter !== null) startAdapter(model, adapter.rank, seed);
  const { n_epochs: epochs, batch_size: batchSize, learning_rate: rate } = settings;
  const more = { schedule: chosen, weightDecay: chosen.weight_decay };
  const crew = toLoneCrew(model);
  const run = openTraining(crew, training, { epochs, batchSize, rate, seed, ...more }, maxTokens);
  const losses: number[] = [];
  while (losses.length < run.steps) {
    losses.push((await run.run(losses.length + 1)).loss);
    if (findDivergence(losses) !== null)
      return { steps: losses.length, loss: null, exact_match: null, cpu_seconds: toSeconds() };
  }
  const result = await measureHeldOut(crew, heldOut, maxTokens, nothing);
  return {
    steps: run.steps,
    loss: result && Number(result.loss.toPrecision(4)),
    exact_match: result && Number(result.exactMatch.toFixed(4)),
    cpu_seconds: toSeconds(),
  };
}
