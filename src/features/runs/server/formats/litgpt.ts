// litgpt: `logs/csv/version_<n>/metrics.csv` counts micro batches; the settings are saved with the weights, in `final` and
// `step-<n>`, whose number counts the optimizer's steps.
import { isObject, type JsonObject } from '#core/contract/reading.ts';
import {
  toEvidence,
  toFact,
  type Checkpoint,
  type Fact,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, filesBelow, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { toPositive, toRecord, toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { addMetricsCsv } from './metricsCsv.ts';
import { addSettings, flattenSettings } from './settings.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const SETTINGS = 'hyperparameters.yaml';
const METRICS = 'metrics.csv';
const SAVED = /^(?:final|step-(\d{1,15}))$/;
/** Weights: of an adapter `lit_model.pth.lora`. */
const WEIGHTS = /^lit_model\.pth(\.\w+)?$/;
/** Columns that count. */
const COUNTERS: ReadonlySet<string> = new Set(['iter', 'tokens', 'total_tokens']);
const NO_SETTINGS: JsonObject = {};

export const litgpt: FormatReader = {
  format: 'litgpt',
  label: 'litgpt',
  recognise(folder) {
    const saved = savedFolders(folder);
    const settings = saved.findLast(({ files }) => files.has(SETTINGS));
    const metrics = newestMetrics(folder);
    // `logs/csv` is Lightning's, too: its folder has other settings.
    if (!settings && (!metrics || metrics.files.has('hparams.yaml'))) return [];
    const wanted = [
      ...(settings ? [pathIn(settings.path, SETTINGS)] : []),
      ...(metrics ? [pathIn(metrics.path, METRICS)] : []),
    ];
    return [
      {
        key: folder.path,
        files: [
          ...wanted.map((path) => ({ path, read: { mode: 'whole' } }) as const),
          ...saved
            .flatMap((each) => filesBelow(each, 1))
            .flatMap(({ path }) => (WEIGHTS.test(baseName(path)) ? [{ path, read: { mode: 'stat' } } as const] : [])),
        ],
      },
    ];
  },
  open: (_claim, folder) => new LitgptReading(folder),
};

const stepOf = (folder: FolderView): number => Number(SAVED.exec(baseName(folder.path))?.[1] ?? Infinity);

/** In the order of their steps, the final weights last. */
const savedFolders = (folder: FolderView): readonly FolderView[] =>
  [...folder.folders.values()]
    .filter((each) => SAVED.test(baseName(each.path)) && [...each.files.keys()].some((name) => WEIGHTS.test(name)))
    .sort((a, b) => stepOf(a) - stepOf(b));

/** The newest version, each of which is a start of the program. */
function newestMetrics(folder: FolderView): FolderView | null {
  const versions = [...(folder.folders.get('logs')?.folders.get('csv')?.folders.values() ?? [])];
  const numberOf = (each: FolderView): number => Number(/^version_(\d+)$/.exec(baseName(each.path))?.[1] ?? -1);
  const found = versions.filter((each) => numberOf(each) >= 0 && each.files.has(METRICS));
  return found.sort((a, b) => numberOf(a) - numberOf(b)).at(-1) ?? null;
}

class LitgptReading implements RunReading {
  readonly #folder: FolderView;
  #settings: { readonly values: JsonObject; readonly path: string } | null = null;
  #parameters = new Map<string, Fact<ParameterValue>>();
  #metrics: { readonly content: Uint8Array; readonly path: string } | null = null;
  #log: MetricLog | null = null;
  #changedAt: number | null = null;

  constructor(folder: FolderView) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const name = baseName(change.path);
    if (change.kind === 'gone') {
      if (change.path === this.#metrics?.path) this.#metrics = this.#log = null;
      return;
    }
    this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
    if (change.kind !== 'whole') return;
    this.#log = null;
    if (name === METRICS) this.#metrics = { content: new Uint8Array(change.content), path: change.path };
    else {
      this.#settings = { values: parseYamlRecord(change.content), path: change.path };
      this.#parameters = new Map();
      addSettings(this.#parameters, flattenSettings(this.#settings.values), { file: change.path, place: null });
    }
  }

  evidence(): readonly RunEvidence[] {
    if (!this.#settings && !this.#metrics) return [];
    const values = this.#settings?.values ?? NO_SETTINGS;
    const source = { file: this.#settings?.path ?? this.#folder.path, place: null };
    const train = toRecord(values['train']);
    const log = (this.#log ??= this.#toLog());
    const data = values['data'];
    const dataset = toText(isObject(data) ? data['class_path'] : data);
    return [
      toEvidence({
        format: litgpt.format,
        key: this.#folder.path,
        folder: this.#folder.path,
        outputDir: toFact(toText(values['out_dir']), source),
        baseModel: toFact(toText(values['checkpoint_dir']), source),
        datasets: toFact(dataset === null ? null : [dataset], source),
        isAdapter: toFact(this.#settings ? 'lora_r' in values : null, source),
        parameters: this.#parameters,
        curves: log.curves,
        curveSource: { file: this.#metrics?.path ?? source.file, place: null },
        progress: log.toProgress(toPositive(train['max_steps']), toPositive(train['epochs'])),
        signs: this.#toSigns(),
        lastSignAt: this.#changedAt,
        checkpoints: savedFolders(this.#folder).map(toCheckpoint),
        problems: this.#toProblems(),
      }),
    ];
  }

  /** Micro batches for each step of the optimizer; null: nobody says. */
  get #accumulation(): number | null {
    const values = this.#settings?.values ?? NO_SETTINGS;
    const train = toRecord(values['train']);
    const [all, micro] = [toPositive(train['global_batch_size']), toPositive(train['micro_batch_size'])];
    const devices = (toPositive(values['devices']) ?? 1) * (toPositive(values['num_nodes']) ?? 1);
    return all === null || micro === null ? null : Math.max(1, Math.floor(all / devices / micro));
  }

  #toLog(): MetricLog {
    const log = new MetricLog();
    if (!this.#metrics) return log;
    const { content, path } = this.#metrics;
    const accumulation = this.#accumulation ?? 1;
    let newest = 0;
    addMetricsCsv(
      log,
      content,
      { file: path, place: null },
      {
        counters: COUNTERS,
        // All but a full finetuning log the validation after the last step without a step: 0.
        toStep: (iteration) => (newest = iteration === 0 ? newest : iteration) / accumulation,
      },
    );
    return log;
  }

  #toProblems(): readonly string[] {
    if (this.#accumulation !== null || !this.#metrics) return [];
    return [
      `${METRICS} counts micro batches, and no ${SETTINGS} says how many make a step: each counts as one until weights are saved.`,
    ];
  }

  #toSigns(): readonly StatusSign[] {
    const saved = savedFolders(this.#folder).find((each) => baseName(each.path) === 'final');
    if (!saved) return [];
    const at = toCheckpoint(saved).savedAt;
    return [
      { kind: 'complete', reason: 'the final weights were saved', at, source: { file: saved.path, place: null } },
    ];
  }
}

function toCheckpoint(folder: FolderView): Checkpoint {
  const files = [...folder.files.values()];
  const weights = files.filter(({ name }) => WEIGHTS.test(name));
  const step = SAVED.exec(baseName(folder.path))?.[1];
  return {
    path: folder.path,
    step: step === undefined ? null : Number(step),
    kind: weights.some(({ name }) => name.endsWith('.lora') || name.endsWith('.adapter')) ? 'adapter' : 'full',
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    isComplete: folder.files.has(SETTINGS),
    measures: new Map(),
    savedAt: Math.max(...weights.map(({ modifiedAt }) => modifiedAt)),
  };
}
