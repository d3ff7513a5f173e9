// torchtune: `torchtune_config.yaml`, one log for each start in `logs/`, and a folder for each saved epoch.
import type { JsonObject } from '#core/contract/reading.ts';
import {
  toEvidence,
  toFact,
  type Checkpoint,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, filesBelow, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { parseLooseObject, toFinite, toRecord, toText } from './looseJson.ts';
import { MetricLog, toMetricValue } from './metricLog.ts';
import { numberOf } from './pythonDict.ts';
import { addSettings, flattenSettings } from './settings.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const CONFIG = 'torchtune_config.yaml';
const LOG = /^log_(\d+)\.(?:txt|jsonl)$/;
const SAVED = /^(epoch|step)_(\d+)$/;
const WEIGHTS = /\.(?:safetensors|bin|pt)$/;
/** `Step 1 | loss:1.23 lr:0.0003 tokens_per_second_per_gpu:1234.5 ` */
const LINE = /^Step (\d+) \| (.*)$/;
const VALUE = /([^\s:|]+):(\S+)/g;
const MAX_SAVED_FILES = 1000;
/** Metrics that the Trainer of HF calls otherwise. */
const NAMES: Readonly<Record<string, string>> = { lr: 'learning_rate' };

interface SavedFile {
  readonly bytes: number;
  readonly modifiedAt: number;
}

export const torchtune: FormatReader = {
  format: 'torchtune',
  label: 'torchtune',
  recognise(folder) {
    if (!folder.files.has(CONFIG)) return [];
    const logs = folder.folders.get('logs');
    const logFiles = logs ? [...logs.files.keys()].filter((name) => LOG.test(name)).sort() : [];
    const saved = [...folder.folders.values()].filter(({ path }) => SAVED.test(baseName(path)));
    return [
      {
        key: folder.path,
        files: [
          { path: pathIn(folder.path, CONFIG), read: { mode: 'whole' } },
          ...logFiles.map((name) => ({ path: pathIn(folder.path, `logs/${name}`), read: { mode: 'tail' } }) as const),
          ...saved.flatMap(toSavedFiles).slice(0, MAX_SAVED_FILES),
        ],
      },
    ];
  },
  open: (_claim, folder) => new TorchtuneReading(folder.path),
};

const toSavedFiles = (folder: FolderView) =>
  filesBelow(folder).map(({ path }) => ({ path, read: { mode: 'stat' } }) as const);

class TorchtuneReading implements RunReading {
  readonly #folder: string;
  readonly #metrics = new MetricLog();
  readonly #tails = new Map<string, LogTail>();
  readonly #lines = new Map<string, number>();
  /** Files of saved epochs by path. */
  readonly #saved = new Map<string, SavedFile>();
  #config: JsonObject = {};
  #parameters = new Map<string, Fact<ParameterValue>>();
  #changedAt: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    if (change.kind === 'gone') this.#saved.delete(change.path);
    else if (change.kind === 'stat') this.#saved.set(change.path, change);
    else if (change.kind === 'whole') this.#takeConfig(change.content);
    else if (change.kind === 'tail') {
      this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
      this.#takeLog(change.path, change.content, change.isFromStart);
    }
  }

  evidence(): readonly RunEvidence[] {
    const source = { file: pathIn(this.#folder, CONFIG), place: null };
    const config = this.#config;
    const datasets = readDatasets(config['dataset']);
    const checkpoints = this.#toCheckpoints();
    const started = [...this.#tails.keys()].map((path) => Number(LOG.exec(baseName(path))?.[1]) * 1000);
    return [
      toEvidence({
        format: torchtune.format,
        key: this.#folder,
        folder: this.#folder,
        curveSource: { file: [...this.#tails.keys()].at(-1) ?? source.file, place: null },
        outputDir: toFact(toText(config['output_dir']), source),
        baseModel: toFact(toText(toRecord(config['checkpointer'])['checkpoint_dir']), source),
        datasets: datasets.length > 0 ? { value: datasets, source } : null,
        method: toFact(readMethod(config), source),
        isAdapter: toFact(readIsAdapter(config), source),
        parameters: this.#parameters,
        curves: this.#metrics.curves,
        progress: this.#metrics.toProgress(null, toFinite(config['epochs'])),
        signs: this.#toSigns(checkpoints),
        startedAt: started.length > 0 ? Math.min(...started) : null,
        lastSignAt: this.#changedAt,
        checkpoints,
      }),
    ];
  }

  #takeConfig(content: Uint8Array): void {
    this.#config = parseYamlRecord(content);
    this.#parameters = new Map();
    const source = { file: pathIn(this.#folder, CONFIG), place: null };
    addSettings(this.#parameters, flattenSettings(this.#config), source);
  }

  #takeLog(path: string, content: Uint8Array, isFromStart: boolean): void {
    const tail = this.#tails.get(path) ?? new LogTail();
    this.#tails.set(path, tail);
    if (isFromStart) this.#lines.set(path, 0);
    for (const line of tail.take(content, isFromStart)) {
      const number = (this.#lines.get(path) ?? 0) + 1;
      this.#lines.set(path, number);
      this.#takeLine(path, line, { file: path, place: `line ${number}` });
    }
  }

  #takeLine(path: string, line: string, source: FactSource): void {
    const row = path.endsWith('.jsonl') ? parseJsonRow(line) : parseTextRow(line);
    if (!row) return;
    // A later start repeats the steps after its checkpoint, or all.
    if (this.#metrics.step !== null && row.step < this.#metrics.step) this.#metrics.dropFrom(row.step);
    this.#metrics.see(row.step, null);
    for (const [name, value] of row.values) this.#metrics.add(NAMES[name] ?? name, value, row.step, null, source);
  }

  #toCheckpoints(): readonly Checkpoint[] {
    const folders = new Map<string, [path: string, file: SavedFile][]>();
    for (const [path, file] of this.#saved) {
      const inner = path.slice(pathIn(this.#folder, '').length);
      const folder = pathIn(this.#folder, inner.slice(0, inner.indexOf('/')));
      folders.set(folder, [...(folders.get(folder) ?? []), [path, file]]);
    }
    return [...folders].map(([path, files]) => {
      const names = files.filter(([file]) => folderOf(file) === path).map(([file]) => baseName(file));
      const weights = names.filter((name) => WEIGHTS.test(name));
      const [, unit, count] = SAVED.exec(baseName(path)) ?? [];
      const isAdapter = weights.length > 0 && weights.every((name) => name.startsWith('adapter_'));
      return {
        path,
        step: unit === 'step' ? Number(count) : null,
        kind: isAdapter ? 'adapter' : weights.length > 0 ? 'full' : 'unknown',
        bytes: files.reduce((sum, [, file]) => sum + file.bytes, 0),
        isComplete: weights.length > 0,
        measures: new Map<string, number>(),
        savedAt: Math.max(...files.map(([, file]) => file.modifiedAt)),
      };
    });
  }

  /** torchtune writes no end: the last epoch that was planned is the sign. Epochs count from 0. */
  #toSigns(checkpoints: readonly Checkpoint[]): readonly StatusSign[] {
    const epochs = toFinite(this.#config['epochs']);
    const last = checkpoints.find(({ path }) => baseName(path) === `epoch_${(epochs ?? 0) - 1}`);
    if (!last?.isComplete) return [];
    const source = { file: last.path, place: null };
    return [{ kind: 'complete', reason: `the last of ${epochs} epochs was saved`, at: last.savedAt, source }];
  }
}

interface Row {
  readonly step: number;
  readonly values: readonly (readonly [name: string, value: number])[];
}

function parseTextRow(line: string): Row | null {
  const [, step, rest] = LINE.exec(line) ?? [];
  if (step === undefined || rest === undefined) return null;
  const values = [...rest.matchAll(VALUE)].flatMap(([, name = '', text]) => {
    const value = numberOf(text);
    return value === null ? [] : [[name, value] as const];
  });
  return { step: Number(step), values };
}

function parseJsonRow(line: string): Row | null {
  const row = parseLooseObject(line);
  const step = toFinite(row?.['step']);
  if (!row || step === null) return null;
  const values = Object.entries(row).flatMap(([name, raw]) => {
    const value = name === 'step' ? null : (toMetricValue(raw) ?? (typeof raw === 'string' ? numberOf(raw) : null));
    return value === null ? [] : [[name, value] as const];
  });
  return { step, values };
}

/** The Hub name or files of a dataset, or the function that makes it. A list is several datasets. */
function readDatasets(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(readDatasets);
  const dataset = toRecord(value);
  const source = toText(dataset['source']);
  const files = toText(dataset['data_files']);
  const name = files ?? source ?? toText(dataset['_component_']);
  return name === null ? [] : [name];
}

/** The loss of DPO and GRPO has a class of its own. */
function readMethod(config: JsonObject): string | null {
  const loss = toText(toRecord(config['loss'])['_component_']) ?? '';
  const [, name] = /\b(?:\w*)(DPO|GRPO)\w*Loss$/.exec(loss) ?? [];
  return name?.toLowerCase() ?? null;
}

/** Builders of models with adapters are called `lora_...` or `qlora_...`. */
function readIsAdapter(config: JsonObject): boolean | null {
  const model = toText(toRecord(config['model'])['_component_']);
  return model === null ? null : /(?:^|\.)q?lora_\w+$/.test(model);
}
