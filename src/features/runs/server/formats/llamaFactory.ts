// LLaMA-Factory: `trainer_log.jsonl` grows while it trains; its web page also leaves the settings and a log.
import { isObject, type JsonObject } from '#core/contract/reading.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { parseLooseJsonBytes, parseLooseObject, toFinite, toPositive, toText } from './looseJson.ts';
import { MetricLog, toMetricValue } from './metricLog.ts';
import { addSettings } from './settings.ts';
import { TracebackWatch } from './traceback.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const LOG = 'trainer_log.jsonl';
const ARGUMENTS = 'training_args.yaml';
const RUNNING_LOG = 'running_log.txt';
const WEB_LOG = 'webui_subprocess.log';
const RESULTS = 'train_results.json';
/** Keys of a line that are a metric, with the Trainer's name. The others count steps, time and tokens. */
const METRICS: Readonly<Record<string, string>> = {
  loss: 'loss',
  eval_loss: 'eval_loss',
  predict_loss: 'predict_loss',
  reward: 'reward',
  accuracy: 'rewards/accuracies',
  lr: 'learning_rate',
  learning_rate: 'learning_rate',
  grad_norm: 'grad_norm',
  epoch: 'epoch',
  throughput: 'throughput',
  total_tokens: 'num_input_tokens_seen',
};
/** What a line of the first version has beside metrics. All others of its keys are metrics. */
const COUNTERS = new Set(['step', 'total_steps']);
/** The log's last line may be written shortly after the results, by a thread of its own. Milliseconds. */
const LATER = 10_000;
/** Values of `stage` by the method's usual name. */
const METHODS: Readonly<Record<string, string>> = { pt: 'pretraining', rm: 'reward' };

export const llamaFactory: FormatReader = {
  format: 'llama-factory',
  label: 'LLaMA-Factory',
  recognise(folder) {
    const hasArguments = folder.files.has(ARGUMENTS) && folder.files.has('llamaboard_config.yaml');
    if (!folder.files.has(LOG) && !hasArguments) return [];
    const wanted = [
      [ARGUMENTS, 'whole'],
      [LOG, 'tail'],
      [RUNNING_LOG, 'stat'],
      [WEB_LOG, 'tail'],
      [RESULTS, 'whole'],
    ] as const;
    const files = wanted
      .filter(([name]) => folder.files.has(name))
      .map(([name, mode]) => ({ path: pathIn(folder.path, name), read: { mode } }) as const);
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new LlamaFactoryReading(folder.path),
};

class LlamaFactoryReading implements RunReading {
  readonly #folder: string;
  readonly #metrics = new MetricLog();
  readonly #log = new LogTail();
  readonly #webLog = new LogTail({ isConsole: true });
  readonly #errors = new TracebackWatch();
  #settings: { readonly values: JsonObject; readonly source: FactSource } | null = null;
  #parameters = new Map<string, Fact<ParameterValue>>();
  #results: {
    readonly values: ReadonlyMap<string, Fact<number>>;
    readonly source: FactSource;
    readonly at: number;
  } | null = null;
  #loggedAt: number | null = null;
  #errorSource: FactSource | null = null;
  #totalSteps: number | null = null;
  /** The newest line is of the last step. */
  #isComplete = false;
  #line = 0;
  #changedAt: number | null = null;
  #problem: string | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const name = baseName(change.path);
    if (change.kind === 'gone') this.#drop(name);
    else if (change.kind === 'tail' || change.kind === 'stat') {
      this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
      if (name === LOG) this.#loggedAt = change.modifiedAt;
      if (change.kind === 'stat') return;
      if (name === LOG) this.#takeLog(change.content, change.isFromStart);
      else if (name === WEB_LOG) this.#takeWebLog(change.path, change.content, change.isFromStart);
    } else if (change.kind !== 'whole') return;
    else if (name === ARGUMENTS) this.#takeArguments(change.path, change.content);
    else if (name === RESULTS) this.#takeResults(change.path, change.content, change.modifiedAt);
  }

  evidence(): readonly RunEvidence[] {
    const settings = this.#settings;
    const toSetting = <Value>(value: Value | null): Fact<Value> | null => settings && toFact(value, settings.source);
    const values = settings?.values ?? {};
    const type = toText(values['finetuning_type']);
    const stage = toText(values['stage']);
    const datasets =
      toText(values['dataset'])
        ?.split(',')
        .map((each) => each.trim()) ?? [];
    return [
      toEvidence({
        format: llamaFactory.format,
        key: this.#folder,
        folder: this.#folder,
        curveSource: { file: pathIn(this.#folder, LOG), place: null },
        outputDir: toSetting(toText(values['output_dir'])),
        baseModel: toSetting(toText(values['model_name_or_path'])),
        datasets: datasets.length > 0 ? toSetting<readonly string[]>(datasets) : null,
        method: toSetting(stage === null ? null : (METHODS[stage] ?? stage)),
        isAdapter: toSetting(type === null ? null : type !== 'full' && type !== 'freeze'),
        parameters: this.#parameters,
        curves: this.#metrics.curves,
        summary: this.#ownResults?.values ?? new Map(),
        progress: this.#metrics.toProgress(
          this.#totalSteps ?? toPositive(values['max_steps']),
          toFinite(values['num_train_epochs']),
        ),
        signs: this.#toSigns(),
        lastSignAt: this.#changedAt,
        problems: this.#problem === null ? [] : [this.#problem],
      }),
    ];
  }

  #takeLog(content: Uint8Array, isFromStart: boolean): void {
    if (isFromStart) this.#forgetLog();
    for (const line of this.#log.take(content, isFromStart)) {
      this.#line += 1;
      const row = parseLooseObject(line);
      if (row) this.#takeRow(row);
      else this.#problem = `Line ${this.#line} of ${LOG} is damaged. The other lines are shown.`;
    }
  }

  #takeRow(row: JsonObject): void {
    const step = toFinite(row['current_steps']) ?? toFinite(row['step']);
    // A run that only evaluates counts batches in lines without an epoch.
    if (step === null || !('epoch' in row)) return;
    // Training goes on from an earlier checkpoint: the steps after it are repeated.
    if (this.#metrics.step !== null && step < this.#metrics.step) this.#metrics.dropFrom(step);
    this.#metrics.see(step, null);
    this.#totalSteps = toFinite(row['total_steps']) ?? this.#totalSteps;
    const isFirstVersion = !('current_steps' in row);
    const source = { file: pathIn(this.#folder, LOG), place: `line ${this.#line}` };
    for (const [key, raw] of Object.entries(row)) {
      const name = METRICS[key] ?? (isFirstVersion && !COUNTERS.has(key) ? key : null);
      const value = name === null ? null : toMetricValue(raw);
      if (name !== null && value !== null) this.#metrics.add(name, value, step, null, source);
    }
    if ('loss' in row) this.#errors.clear();
    this.#isComplete = this.#totalSteps !== null && this.#totalSteps > 0 && step >= this.#totalSteps;
  }

  #takeWebLog(path: string, content: Uint8Array, isFromStart: boolean): void {
    if (isFromStart) this.#errors.clear();
    for (const line of this.#webLog.take(content, isFromStart)) this.#errors.take(line);
    this.#errorSource = { file: path, place: null };
  }

  #takeArguments(path: string, content: Uint8Array): void {
    const values = parseYamlRecord(content);
    const source = { file: path, place: null };
    this.#settings = { values, source };
    this.#parameters = new Map();
    addSettings(this.#parameters, values, source);
  }

  #takeResults(path: string, content: Uint8Array, at: number): void {
    const values = parseLooseJsonBytes(content);
    if (!isObject(values)) return;
    const source = { file: path, place: null };
    const numbers = Object.entries(values).flatMap(([name, raw]) => {
      const value = toMetricValue(raw);
      return value === null || name === 'epoch' ? [] : [[name, { value, source }] as const];
    });
    this.#results = { values: new Map(numbers), source, at };
  }

  /** The results, unless they are of an earlier training in this folder: the log went on after them. */
  get #ownResults() {
    const isOld = this.#results && this.#loggedAt !== null && this.#loggedAt > this.#results.at + LATER;
    return isOld ? null : this.#results;
  }

  #toSigns(): readonly StatusSign[] {
    const signs: StatusSign[] = [];
    const results = this.#ownResults;
    if (results) {
      signs.push({ kind: 'finished', reason: `${RESULTS} was written`, at: results.at, source: results.source });
    }
    if (this.#isComplete) {
      const source = { file: pathIn(this.#folder, LOG), place: `line ${this.#line}` };
      signs.push({ kind: 'complete', reason: 'the last step was logged', at: null, source });
    }
    return this.#errorSource ? [...signs, ...this.#errors.toSigns(this.#errorSource, null)] : signs;
  }

  #drop(name: string): void {
    if (name === LOG) this.#forgetLog();
    else if (name === RESULTS) this.#results = null;
    else if (name === ARGUMENTS) {
      this.#settings = null;
      this.#parameters = new Map();
    } else if (name === WEB_LOG) this.#errors.clear();
  }

  #forgetLog(): void {
    this.#metrics.clear();
    this.#totalSteps = null;
    this.#isComplete = false;
    this.#line = 0;
    this.#problem = null;
  }
}
