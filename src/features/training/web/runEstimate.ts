// What a run takes, before it starts, from what the studio knows of its base model and rows. Pure.
import { formatBytes } from '#core/contract/numberNotation.ts';
import { toAdapter, type Objective } from '#core/contract/trainingSettings.ts';
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import type { TrainingBases } from '#features/training/shared/trainingRecords.ts';
import { countThreads } from '#trainer/shared/threads.ts';
import { trainingEstimate, type TrainingEstimate } from '#trainer/shared/trainingEstimate.ts';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import { isReady, type RunRow } from './runRows.ts';

/** The training rows of a snapshot. */
export interface TrainedText {
  readonly rows: number;
  /** UTF-16 units of all training rows together, and of the longest row. */
  readonly characters: number;
  readonly longest: number;
  /** How many rows have so many characters or more, up to the next entry. */
  readonly bins: readonly { readonly from: number; readonly count: number }[];
  /** Counted by a base model's own template and tokenizer; null: not yet, or they can't be. */
  readonly counted: CountedTokens | null;
}

interface CountedTokens {
  readonly model: string;
  /** Of all training rows together, each cut to the model's context, and of the longest row. */
  readonly tokens: number;
  readonly longest: number;
  /** Rows that the context cuts, and rows of which nothing is trained, which the trainer leaves out. */
  readonly cutRows: number;
  readonly leftOutRows: number;
  /** Rows for DPO or KTO, and the others. */
  readonly comparedRows: number;
  readonly chatRows: number;
  /** Of all training rows, not of a share or a sample. */
  readonly isExact: boolean;
}

/** The training rows of a snapshot, of whose rows `share` are for training. null: there is nothing to train on. */
export function toTrainedText({ rows, state, characters, tokens }: Statistics, share: number): TrainedText | null {
  if (rows === 0 || characters.total === 0) return null;
  const { total, max: longest, bins } = characters;
  // Of many rows some are counted, evenly spread.
  const factor = tokens !== null && tokens.rows > 0 ? (rows / tokens.rows) * share : 0;
  const isCounted = state === 'done' && tokens?.error === null && factor > 0;
  return {
    rows: rows * share,
    characters: total * share,
    longest,
    bins,
    counted: isCounted
      ? {
          model: tokens.model,
          tokens: Math.ceil((tokens.total - tokens.cut_tokens) * factor),
          longest: tokens.max,
          cutRows: Math.round(tokens.cut_rows * factor),
          leftOutRows: Math.round(tokens.untrained_rows * factor),
          comparedRows: Math.round(tokens.compared_rows * factor),
          chatRows: Math.round((tokens.rows - tokens.compared_rows) * factor),
          isExact: factor === 1,
        }
      : null,
  };
}

/** Until tokens are counted. Short messages of the sample's datasets have so many, with the names of roles around them. */
const CHARACTERS_PER_TOKEN = 2.5;

interface Tokens extends Pick<CountedTokens, 'tokens' | 'longest'> {
  readonly source: string;
}

const isPreference = (objective: Objective): boolean => objective === 'dpo' || objective === 'kto';

/** Rows of the other kind, which the objective leaves out. */
const toMisfits = ({ comparedRows, chatRows }: CountedTokens, objective: Objective): number =>
  isPreference(objective) ? chatRows : comparedRows;

/** The prompt of a pair goes through the model with each answer. */
const toPasses = (objective: Objective): number => (isPreference(objective) ? 2 : 1);

const toTokens = (text: TrainedText, base: string, objective: Objective): Tokens =>
  text.counted?.model === base
    ? { ...text.counted, source: 'counted by the base model’s own tokenizer' }
    : {
        tokens: Math.ceil((text.characters * toPasses(objective)) / CHARACTERS_PER_TOKEN),
        longest: Math.ceil(text.longest / CHARACTERS_PER_TOKEN),
        source:
          `not counted: one is assumed for each ${CHARACTERS_PER_TOKEN} characters` +
          (toPasses(objective) === 1 ? '' : ', twice, as the prompt of a pair is read with each of its answers'),
      };

/** What is left where each row is cut to `most` tokens, from how long the rows are in characters. */
function toCutTokens(
  { bins, characters, longest }: TrainedText,
  all: Tokens,
  most: number | undefined,
  objective: Objective,
): Tokens {
  if (most === undefined || most >= all.longest || all.tokens === 0) return all;
  // Each answer of a pair is cut by itself.
  const mostCharacters = (most * (objective === 'dpo' ? 2 : 1) * characters) / all.tokens;
  let [whole, kept] = [0, 0];
  for (const [at, { from, count }] of bins.entries()) {
    const middle = (from + (bins[at + 1]?.from ?? Math.max(from, longest))) / 2;
    whole += count * middle;
    kept += count * Math.min(middle, mostCharacters);
  }
  const share = whole === 0 ? 1 : kept / whole;
  return {
    tokens: Math.ceil(all.tokens * share),
    longest: most,
    source: `${all.source}; ${Math.round(share * 100)} % is left of rows cut to ${formatCount(most)} tokens`,
  };
}

type Base = TrainingBases['bases'][number];

/**
 * null: its values are not complete, or the form of its base model or what it trains of its rows is not known. `threads`: that the trainer may
 * use.
 */
export function toRunEstimate(
  row: RunRow,
  base: Base | undefined,
  text: TrainedText | null,
  threads = 1,
): TrainingEstimate | null {
  if (!base?.shape || text === null || !isReady(row)) return null;
  const { epochs = 1, batch = 1, type } = row;
  const { objective = 'sft', max_length: most } = row.chosen;
  // What is trained of mixed rows is not counted.
  if (text.counted !== null && toMisfits(text.counted, objective) > 0) return null;
  const { tokens, longest, source } = toCutTokens(text, toTokens(text, base.id, objective), most, objective);
  if (tokens === 0) return null;
  const {
    key_heads: keyHeads,
    head_width: headWidth,
    inner_width: innerWidth,
    has_output: hasOutput,
    ...same
  } = base.shape;
  const estimate = trainingEstimate({
    // Neither has a part in the estimate.
    shape: { ...same, keyHeads, headWidth, innerWidth, hasOutput, epsilon: 1e-5, ropeBase: 10_000 },
    rank: type === 'full' ? null : toAdapter(row.chosen).rank,
    tokens,
    rows: text.rows,
    longest: Math.min(base.shape.context, longest),
    epochs,
    batchSize: batch,
    threads: countThreads(threads, batch),
    measuredSpeed: base.operations_per_second,
    measuredRuns: base.finished_runs,
    fileBytes: base.file_bytes,
    objective,
  });
  return { ...estimate, tokens: { ...estimate.tokens, formula: `${estimate.tokens.formula}; ${source}` } };
}

/** `about 480 steps, 470k tokens, 4 min, 210 MB`. */
export function toEstimateText({ steps, tokens, seconds, memory }: TrainingEstimate): string {
  const size =
    tokens.value >= 1e6 ? `${(tokens.value / 1e6).toFixed(1)}M` : `${Math.max(1, Math.round(tokens.value / 1000))}k`;
  return (
    `About ${formatCount(steps.value)} ${steps.value === 1 ? 'step' : 'steps'}, ${size} tokens, ` +
    `${toTimeText(seconds)}, ${formatBytes(memory.value)} of memory`
  );
}

const toTimeText = (seconds: { readonly value: number }): string =>
  formatDuration(Math.max(1, Math.round(seconds.value)) * 1000);

/** The formulas, a line each. */
export const toFormulas = ({
  steps,
  tokens,
  seconds,
  usualSeconds,
  memory,
  disk,
}: TrainingEstimate): readonly (readonly [string, string])[] => [
  ['Tokens', tokens.formula],
  ['Steps', steps.formula],
  ['Time', `${toTimeText(seconds)}: ${seconds.formula}`],
  ...(usualSeconds === null
    ? []
    : [['By formula alone', `${toTimeText(usualSeconds)}: ${usualSeconds.formula}`] as const]),
  ['Memory', `${formatBytes(memory.value)}: ${memory.formula}`],
  ...(disk === null ? [] : [['Disk', `${formatBytes(disk.value)}: ${disk.formula}`] as const]),
];

/**
 * What a run needs more of than there is, and what to do; empty: it fits, or nobody knows. `machine`: what is free now.
 */
export function findShortages(
  { memory, disk }: TrainingEstimate,
  machine: TrainingBases['machine'],
): readonly string[] {
  if (machine === null) return [];
  const toText = (what: string, needed: number, free: number, toDo: string): readonly string[] =>
    needed <= free ? [] : [`It needs ${formatBytes(needed)} of ${what}, and ${formatBytes(free)} are free. ${toDo}`];
  return [
    ...toText('memory', memory.value, machine.memory_free, 'Close other programs, or take a smaller base model.'),
    ...(disk === null
      ? []
      : toText('disk', disk.value, machine.disk_free, 'Free some: the run would fail at its start.')),
  ];
}

/** What is free on the machine, in one sentence; empty: not known. */
export const toFreeText = (machine: TrainingBases['machine'] | undefined): string =>
  machine == null
    ? ''
    : `Free now: ${formatBytes(machine.memory_free)} of memory, ${formatBytes(machine.disk_free)} of disk.`;

/**
 * What the trainer cuts and leaves out, estimated from the rows' characters until tokens are counted; null: nothing, or
 * nobody knows. A row that is cut before its first trained token is left out.
 */
export function toCutText(
  base: Base | undefined,
  text: TrainedText | null,
  objective: Objective = 'sft',
): string | null {
  if (!base?.shape || text === null) return null;
  const { context } = base.shape;
  const toMany = (rows: number): string => `${formatCount(rows)} training ${rows === 1 ? 'row is' : 'rows are'}`;
  const toText = (many: string): string =>
    `${many} longer than the ${formatCount(context)} tokens that ${base.id} reads, and cut there.`;
  if (text.counted?.model === base.id) {
    const { cutRows, isExact } = text.counted;
    // GRPO asks the prompts of all rows.
    const leftOutRows = objective === 'grpo' ? 0 : toMisfits(text.counted, objective) || text.counted.leftOutRows;
    const about = isExact ? '' : 'About ';
    const texts = [
      cutRows > 0 && toText(`${about}${toMany(cutRows)}`),
      leftOutRows > 0 &&
        `${about}${toMany(leftOutRows)} left out, because nothing of ${leftOutRows === 1 ? 'it' : 'them'} would be trained.`,
    ].filter((each) => each !== false);
    return texts.length === 0 ? null : texts.join(' ');
  }
  const most = context * CHARACTERS_PER_TOKEN;
  // How long each answer of a pair is, characters of the row don't say.
  if (isPreference(objective)) return null;
  if (text.longest <= most) return null;
  const rows = text.bins.reduce((sum, { from, count }) => sum + (from >= most ? count : 0), 0);
  return toText(rows === 0 ? 'The longest training rows are' : `About ${toMany(rows)}`);
}

/** Milliseconds that all of them take one after another; null: of one it is not known. */
export function toWholeTime(estimates: readonly (TrainingEstimate | null)[]): number | null {
  let sum = 0;
  for (const estimate of estimates) {
    if (estimate === null) return null;
    sum += estimate.seconds.value * 1000;
  }
  return sum;
}
