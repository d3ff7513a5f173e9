// litgpt: `logs/csv/version_<n>/metrics.csv` counts micro batches; the settings are saved with the weights, in `final` and
// `step-<n>`, whose number counts the optimizer's steps.
import { isObject } from '#core/contract/readJson.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';
import type { Checkpoint, RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName, filesBelow } from '#features/runs/server/paths.ts';
import type { FolderView, FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, toWeights, wantFiles, type WholeFile } from './folderReading.ts';
import { toPositive, toRecord, toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { addMetricsCsv } from './metricsCsv.ts';
import { flattenSettings } from './settings.ts';

const SETTINGS = 'hyperparameters.yaml';
const METRICS = 'metrics.csv';
const SAVED = /^(?:final|step-(\d{1,15}))$/;
/** Weights: of an adapter `lit_model.pth.lora`. */
const WEIGHTS = /^lit_model\.pth(\.\w+)?$/;
/** Columns that count. */
const COUNTERS: ReadonlySet<string> = new Set(['iter', 'tokens', 'total_tokens']);

export const litgpt: FormatReader = {
  format: 'litgpt',
  label: 'litgpt',
  recognise(folder) {
    const saved = savedFolders(folder);
    const settings = saved.findLast(({ files }) => files.has(SETTINGS));
    const metrics = newestMetrics(folder);
    // `logs/csv` is Lightning's, too: its folder has other settings.
    if (!settings && (!metrics || metrics.files.has('hparams.yaml'))) return [];
    const files = [
      ...(settings ? wantFiles(settings, 'whole', [SETTINGS]) : []),
      ...(metrics ? wantFiles(metrics, 'whole', [METRICS]) : []),
      ...saved
        .flatMap((each) => filesBelow(each, 1))
        .filter(({ path }) => WEIGHTS.test(baseName(path)))
        .map(({ path }) => ({ path, read: { mode: 'stat' } }) as const),
    ];
    return [{ key: folder.path, files }];
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

class LitgptReading extends FolderReading {
  #metrics: { readonly content: Uint8Array; readonly path: string } | null = null;
  /** null: to be read again, by other settings. */
  #log: MetricLog | null = null;

  evidence(): readonly RunEvidence[] {
    if (!this.settings && !this.#metrics) return [];
    const { values, source } = this.written;
    const train = toRecord(values['train']);
    const log = (this.#log ??= this.#toLog());
    const data = values['data'];
    const dataset = toText(isObject(data) ? data['class_path'] : data);
    return this.toEvidence(litgpt.format, {
      outputDir: this.written.text('out_dir'),
      baseModel: this.written.text('checkpoint_dir'),
      datasets: this.written.texts([dataset]),
      isAdapter: this.written.fact(this.settings ? 'lora_r' in values : null),
      curves: log.curves,
      curveSource: { file: this.#metrics?.path ?? source.file, place: null },
      summary: log.summary,
      progress: log.toProgress(toPositive(train['max_steps']), toPositive(train['epochs'])),
      signs: this.#toSigns(),
      checkpoints: savedFolders(this.folder).map(toCheckpoint),
      problems: this.#toProblems(),
    });
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    this.#log = null;
    if (baseName(path) === METRICS) this.#metrics = { content: new Uint8Array(content), path };
    else {
      const values = parseYamlRecord(content);
      this.takeSettings(values, { file: path, place: null }, flattenSettings(values));
    }
  }

  protected override forget(path: string): void {
    if (path === this.#metrics?.path) this.#metrics = this.#log = null;
  }

  /** Micro batches for each step of the optimizer; null: nobody says. */
  get #accumulation(): number | null {
    const { values } = this.written;
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
    const saved = savedFolders(this.folder).find((each) => baseName(each.path) === 'final');
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
  return toWeights(files, {
    path: folder.path,
    step: step === undefined ? null : Number(step),
    kind: weights.some(({ name }) => name.endsWith('.lora') || name.endsWith('.adapter')) ? 'adapter' : 'full',
    isComplete: folder.files.has(SETTINGS),
    savedAt: Math.max(...weights.map(({ modifiedAt }) => modifiedAt)),
  });
}
