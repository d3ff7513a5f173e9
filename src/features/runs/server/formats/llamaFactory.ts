// LLaMA-Factory: `trainer_log.jsonl` grows while it trains; its web page also leaves the settings and a log.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';
import type { Fact, FactSource, RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName } from '#features/runs/server/paths.ts';
import type { FileChange, FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, sourceOfLine, wantFiles, type LogLine, type WholeFile } from './folderReading.ts';
import { parseLooseJsonBytes, parseLooseObject, toFinite, toPositive, toText } from './looseJson.ts';
import { toMetricValue } from './metricLog.ts';

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
    const files = [
      ...wantFiles(folder, 'whole', [ARGUMENTS]),
      ...wantFiles(folder, 'tail', [LOG]),
      ...wantFiles(folder, 'stat', [RUNNING_LOG]),
      ...wantFiles(folder, 'tail', [WEB_LOG]),
      ...wantFiles(folder, 'whole', [RESULTS]),
    ];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new LlamaFactoryReading(folder, { live: ['tail', 'stat'], isConsole: true }),
};

class LlamaFactoryReading extends FolderReading {
  #results: {
    readonly values: ReadonlyMap<string, Fact<number>>;
    readonly source: FactSource;
    readonly at: number;
  } | null = null;
  #loggedAt: number | null = null;
  #errorSource: FactSource | null = null;
  #totalSteps: number | null = null;
  /** The newest line, if it is of the last step. */
  #last: LogLine | null = null;
  #problem: string | null = null;

  override take(change: FileChange): void {
    super.take(change);
    if (change.kind === 'tail' && baseName(change.path) === LOG) this.#loggedAt = change.modifiedAt;
  }

  evidence(): readonly RunEvidence[] {
    const { values } = this.written;
    const type = toText(values['finetuning_type']);
    const stage = toText(values['stage']);
    const datasets = toText(values['dataset'])?.split(',');
    return this.toEvidence(llamaFactory.format, {
      curveSource: { file: this.path(LOG), place: null },
      outputDir: this.written.text('output_dir'),
      baseModel: this.written.text('model_name_or_path'),
      datasets: this.written.texts(datasets?.map((each) => each.trim())),
      method: this.written.fact(stage === null ? null : (METHODS[stage] ?? stage)),
      isAdapter: this.written.fact(type === null ? null : type !== 'full' && type !== 'freeze'),
      summary: this.#ownResults?.values ?? new Map(),
      progress: this.log.toProgress(
        this.#totalSteps ?? toPositive(values['max_steps']),
        toFinite(values['num_train_epochs']),
      ),
      signs: this.#toSigns(),
      problems: this.#problem === null ? [] : [this.#problem],
    });
  }

  protected override takeLine(line: LogLine): void {
    if (baseName(line.path) === WEB_LOG) {
      this.#errorSource = { file: line.path, place: null };
      return this.errors.take(line.text);
    }
    const row = parseLooseObject(line.text);
    if (row) return this.#takeRow(row, line);
    this.#problem = `Line ${line.number} of ${LOG} is damaged. The other lines are shown.`;
    return undefined;
  }

  #takeRow(row: JsonObject, line: LogLine): void {
    const step = toFinite(row['current_steps']) ?? toFinite(row['step']);
    // A run that only evaluates counts batches in lines without an epoch.
    if (step === null || !('epoch' in row)) return;
    this.log.goTo(step);
    this.#totalSteps = toFinite(row['total_steps']) ?? this.#totalSteps;
    const isFirstVersion = !('current_steps' in row);
    for (const [key, raw] of Object.entries(row)) {
      const name = METRICS[key] ?? (isFirstVersion && !COUNTERS.has(key) ? key : null);
      const value = name === null ? null : toMetricValue(raw);
      if (name !== null && value !== null) this.log.add(name, value, step, null, sourceOfLine(line));
    }
    if ('loss' in row) this.errors.clear();
    this.#last = this.#totalSteps !== null && this.#totalSteps > 0 && step >= this.#totalSteps ? line : null;
  }

  protected override takeWhole({ path, content, modifiedAt: at }: WholeFile): void {
    const source = { file: path, place: null };
    if (baseName(path) === ARGUMENTS) return this.takeSettings(parseYamlRecord(content), source);
    const values = parseLooseJsonBytes(content);
    if (!isObject(values)) return undefined;
    const numbers = Object.entries(values).flatMap(([name, raw]) => {
      const value = toMetricValue(raw);
      return value === null || name === 'epoch' ? [] : [[name, { value, source }] as const];
    });
    this.#results = { values: new Map(numbers), source, at };
    return undefined;
  }

  /** The results, unless they are of an earlier training in this folder: the log went on after them. */
  get #ownResults() {
    const isOld = this.#results && this.#loggedAt !== null && this.#loggedAt > this.#results.at + LATER;
    return isOld ? null : this.#results;
  }

  #toSigns(): readonly StatusSign[] {
    const signs: StatusSign[] = [];
    const results = this.#ownResults;
    if (results)
      signs.push({ kind: 'finished', reason: `${RESULTS} was written`, at: results.at, source: results.source });
    if (this.#last) {
      const source = sourceOfLine(this.#last);
      signs.push({ kind: 'complete', reason: 'the last step was logged', at: null, source });
    }
    return this.#errorSource ? [...signs, ...this.errors.toSigns(this.#errorSource, null)] : signs;
  }

  protected override forget(path: string): void {
    const name = baseName(path);
    if (name === LOG) {
      this.log.clear();
      this.#totalSteps = this.#last = this.#problem = null;
    } else if (name === RESULTS) this.#results = null;
    else if (name === ARGUMENTS) this.dropSettings();
    else if (name === WEB_LOG) this.errors.clear();
  }
}
