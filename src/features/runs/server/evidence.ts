// What one format says about one run. Readers make it; `joinRuns.ts` joins the evidence of a run from several formats.
// Every fact keeps its source, so that the page can say where a value comes from. Nothing here is guessed: what nobody
// wrote down is absent.
import type { Curve } from './curve.ts';

/** Where a fact was read. */
export interface FactSource {
  /** Path below the root, with `/`. */
  readonly file: string;
  /** The place in the file for people: `args/text_summary`, `line 12`, `table training_runs`. */
  readonly place: string | null;
}

export interface Fact<Value> {
  readonly value: Value;
  readonly source: FactSource;
}

/** null: nobody wrote the value down. */
export const toFact = <Value>(value: Value | null, source: FactSource): Fact<Value> | null =>
  value === null ? null : { value, source };

/** A parameter as the trainer wrote it. Lists and objects are JSON text. */
export type ParameterValue = string | number | boolean | null;

/**
 * A sign of the run's state, strongest kind first. `finished` and `failed` are certain: the trainer or tracker wrote it.
 * `complete`: it reached its last step or wrote its final weights, so it probably finished. `traceback`: an error is
 * the last thing in its log. `open`: a tracker says that it runs, which also holds after a crash. `closed`: a tracker says
 * that it ended, which also holds after an error. `interrupted`: the trainer wrote that it was stopped by a person or a signal.
 */
export type StatusSignKind = 'finished' | 'failed' | 'complete' | 'interrupted' | 'traceback' | 'open' | 'closed';

export interface StatusSign {
  readonly kind: StatusSignKind;
  /** The reason in words, without a full stop: `train/train_runtime was logged`, `exit code 1`, the last error line. */
  readonly reason: string;
  /** Unix milliseconds; null: unknown. */
  readonly at: number | null;
  readonly source: FactSource;
}

/** A saved state of the weights. */
export interface Checkpoint {
  /** Folder or file, path below the root. */
  readonly path: string;
  /** Step at which it was saved; null: unknown, or the final weights. */
  readonly step: number | null;
  readonly kind: 'adapter' | 'full' | 'gguf' | 'unknown';
  /** Bytes of all its files. */
  readonly bytes: number;
  /** false: the save was broken off or is still going on. */
  readonly isComplete: boolean;
  /** Measures that its own state file carries, by metric name. */
  readonly measures: ReadonlyMap<string, number>;
  /** Unix milliseconds of its last file. */
  readonly savedAt: number | null;
}

/** The process that trains or trained. */
export interface TrainingProcess {
  readonly host: string;
  readonly pid: number | null;
}

export interface Progress {
  readonly step: number | null;
  readonly totalSteps: number | null;
  readonly epoch: number | null;
  readonly totalEpochs: number | null;
}

/**
 * Rows that the trainer wrote beside its metrics, such as the completions of GRPO.
 * ASSUMED: one Parquet file for each step that was logged (TRL's `log_completions`).
 */
export interface RowFile {
  readonly path: string;
  readonly step: number | null;
}

/** The evidence of one format about one run. Empty maps and lists: the format does not say. */
export interface RunEvidence {
  readonly format: string;
  /** The id that a tracker gave the run: the same in all its files, and after a resume. null: it has none. */
  readonly trackerId: string | null;
  /** Distinguishes the runs of one source (a database of many runs, several event folders): unique in its claim. */
  readonly key: string;
  /** The folder below the root that holds the run's outputs, or the nearest folder known; `''` is the root. */
  readonly folder: string;
  /** The output folder as the run wrote it, on the machine that trained. */
  readonly outputDir: Fact<string> | null;
  /** The name that a person gave the run, or that its tracker shows. */
  readonly name: Fact<string> | null;
  /** The project, experiment or sweep that a tracker puts it in. */
  readonly group: Fact<string> | null;
  readonly tags: readonly string[];
  /** What a person wrote about the run in its tracker. */
  readonly notes: Fact<string> | null;
  /** Hub name or path, as written. */
  readonly baseModel: Fact<string> | null;
  readonly datasets: Fact<readonly string[]> | null;
  /** How it optimises: `sft`, `dpo`, `grpo`, `kto`, `orpo`, `reward`, `pretraining`, or the trainer's own word. */
  readonly method: Fact<string> | null;
  /** true: LoRA or another adapter. */
  readonly isAdapter: Fact<boolean> | null;
  /** Settings by the trainer's own name (`learning_rate`, `lora_r`). Secrets are left out: see `secretKeys.ts`. */
  readonly parameters: ReadonlyMap<string, Fact<ParameterValue>>;
  /** Package versions, hardware and system by name. */
  readonly environment: ReadonlyMap<string, Fact<string>>;
  /**
   * By the metric's name as HF's `log_history` has it, evaluation under `eval/`: `loss`, `learning_rate`, `grad_norm`,
   * `rewards/chosen`, `eval/loss`, `eval/rewards/accuracies`. See `metricNames.ts`.
   */
  readonly curves: ReadonlyMap<string, Curve>;
  /** Where the curves were read; null: in `folder`. */
  readonly curveSource: FactSource | null;
  /** Single figures of the whole run: `train_runtime` (s), `total_flos`, `train_loss`. */
  readonly summary: ReadonlyMap<string, Fact<number>>;
  readonly progress: Progress | null;
  readonly signs: readonly StatusSign[];
  readonly process: TrainingProcess | null;
  /** Unix milliseconds; null: unknown. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Seconds of training, if its files are of several sessions; null: `train_runtime` and the times say it. */
  readonly seconds: number | null;
  /** When the newest of its live files changed, by the clock of the file system. */
  readonly lastSignAt: number | null;
  /** The newest time that is written in them, by the clock of the trainer; null: none, or they were seen to grow. */
  readonly lastEventAt: number | null;
  /** The step of the checkpoint that the trainer found best. */
  readonly bestStep: Fact<number> | null;
  readonly checkpoints: readonly Checkpoint[];
  readonly rowFiles: readonly RowFile[];
  /** The run that this one continues, by its tracker's id or its folder. */
  readonly resumedFrom: string | null;
  /** What could not be read, for people, one sentence each with what to do. */
  readonly problems: readonly string[];
}

/** Evidence that says nothing yet. Readers spread it and fill in what they know. */
export function toEvidence(about: Pick<RunEvidence, 'format' | 'key' | 'folder'> & Partial<RunEvidence>): RunEvidence {
  return {
    trackerId: null,
    outputDir: null,
    name: null,
    group: null,
    tags: [],
    notes: null,
    baseModel: null,
    datasets: null,
    method: null,
    isAdapter: null,
    parameters: new Map(),
    environment: new Map(),
    curves: new Map(),
    curveSource: null,
    summary: new Map(),
    progress: null,
    signs: [],
    process: null,
    startedAt: null,
    endedAt: null,
    seconds: null,
    lastSignAt: null,
    lastEventAt: null,
    bestStep: null,
    checkpoints: [],
    rowFiles: [],
    resumedFrom: null,
    problems: [],
    ...about,
  };
}

// Which source of a fact is believed: configs that the process itself wrote, before what was written for people.

const TRACKER = /^(?:wandb|mlflow|trackio|aim|swanlab|unsloth)/;
const EVENTS = /^(?:tensorboard|tfevents)/;

/** Trackers keep runs of many folders in a place of their own. */
export const isTracker = (format: string): boolean => TRACKER.test(format);

/** Event files are in a folder below the outputs, and say nothing about them. */
export const isEvents = (format: string): boolean => EVENTS.test(format);

/** The id that a tracker gave a run. W&B's folders end with it; the keys of databases are ids. */
export function toTrackerId({ format, trackerId, key, folder }: RunEvidence): string | null {
  if (trackerId !== null || !isTracker(format)) return trackerId;
  return format === 'wandb' ? (/-([^-/]+)$/.exec(folder)?.[1] ?? key) : key;
}

const RANKS: readonly (readonly [name: RegExp, rank: number])[] = [
  [/(?:^|\/)trainer_state\.json$/, 4],
  [/(?:^|\/)adapter_config\.json$/, 5],
  [/\.(?:log|txt|out|err)$/i, 6],
  [/(?:^|\/)README\.md$/i, 7],
];

/** 0 is best: the training arguments in an event file, a tracker's config, the trainer's own, a state, a log, a card. */
export function toSourceRank(format: string, { file, place }: FactSource): number {
  if (isEvents(format) || place?.startsWith('args/') === true) return 0;
  if (isTracker(format)) return 1;
  return RANKS.find(([name]) => name.test(file))?.[1] ?? 2;
}

/** A method that a trainer's class or tag tells is believed before one that follows from settings or metrics. */
export const toMethodRank = (format: string, source: FactSource): number =>
  source.place === 'tags' || source.place === 'class of the arguments' ? -1 : toSourceRank(format, source);
