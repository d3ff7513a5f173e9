// Weights & Biases: the `.wandb` file of a run, offline or online, and the files that an online run writes beside it.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { toMetricName } from '#features/runs/server/metricNames.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { parseLooseJson, parseLooseJsonBytes, toFinite, toText } from './looseJson.ts';
import { MetricLog, toMetricValue } from './metricLog.ts';
import { TracebackWatch } from './traceback.ts';
import { toTrainerFacts, type TrainerFacts } from './trainerSettings.ts';
import { WandbAxes } from './wandbAxes.ts';
import { WandbLog } from '#features/runs/server/encodings/wandbLog.ts';
import { parseWandbRecord, type WandbItems, type WandbRecord, type WandbRun } from './wandbRecord.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const LOG = /^run-.+\.wandb$/;
const RUN_FOLDER = /^(?:offline-)?run-\d{8}_\d{6}-./;
const BESIDE = ['config.yaml', 'wandb-summary.json', 'wandb-metadata.json', 'requirements.txt'];
/** SwanLab's folders have the names of W&B's. */
const SWANLAB = /\.swanlab$/;
const MAX_SUMMARY = 500;
/** W&B writes this code after Ctrl+C: wandb/sdk/lib/exit_hooks.py. */
const INTERRUPT_CODE = 255;
/** Fields of wandb-metadata.json that say on what it ran. */
const METADATA = ['os', 'python', 'program', 'executable', 'gpu', 'gpu_count', 'cpu_count', 'cudaVersion'];
/** Packages of `requirements.txt` whose version matters for a training. */
const PACKAGES = new Set([
  'accelerate',
  'axolotl',
  'bitsandbytes',
  'datasets',
  'deepspeed',
  'flash-attn',
  'liger-kernel',
  'llamafactory',
  'mlx',
  'mlx-lm',
  'peft',
  'tokenizers',
  'torch',
  'torchtune',
  'transformers',
  'triton',
  'trl',
  'unsloth',
  'unsloth-zoo',
  'vllm',
  'wandb',
  'xformers',
]);
const PACKAGE = /^([A-Za-z0-9._-]+)\s*==\s*([^\s;#]{1,60})/;

export const wandb: FormatReader = {
  format: 'wandb',
  label: 'Weights & Biases',
  recognise(folder) {
    if (baseName(folder.path) === 'latest-run') return [];
    const names = [...folder.files.keys()];
    if (names.some((name) => SWANLAB.test(name))) return [];
    const log = names.find((name) => LOG.test(name));
    const beside = findBeside(folder);
    // Any tool may list its packages.
    const hasOwn = beside.some((path) => !path.endsWith('/requirements.txt'));
    if (log === undefined && (!RUN_FOLDER.test(baseName(folder.path)) || !hasOwn)) return [];
    return [
      {
        key: folder.path,
        files: [
          ...(log === undefined ? [] : [{ path: pathIn(folder.path, log), read: { mode: 'tail' } as const }]),
          ...beside.map((path) => ({ path, read: { mode: 'whole' } as const })),
        ],
      },
    ];
  },
  open: (_claim, folder) => new WandbReading(folder.path),
};

const findBeside = (folder: FolderView): readonly string[] => {
  const files = folder.folders.get('files');
  return files ? BESIDE.filter((name) => files.files.has(name)).map((name) => pathIn(files.path, name)) : [];
};

class WandbReading implements RunReading {
  readonly #folder: string;
  readonly #file = new WandbLog();
  readonly #metrics = new MetricLog();
  readonly #axes = new WandbAxes();
  /** Values of the whole run as JSON. */
  readonly #summary = new Map<string, string>();
  readonly #rowNames = new Set<string>();
  readonly #environment = new Map<string, Fact<string>>();
  readonly #output = { stdout: new LogTail(), stderr: new LogTail(), errors: new TracebackWatch() };
  /** Settings by name, from the log. */
  #config = new Map<string, unknown>();
  #configFile: JsonObject = {};
  #configFilePath: string | null = null;
  #facts: TrainerFacts | null = null;
  #run: WandbRun | null = null;
  #host = '';
  #exit: { readonly code: number; readonly runtime: number } | null = null;
  #summaryPath: string | null = null;
  #hasHistory = false;
  #logPath: string | null = null;
  #changedAt: number | null = null;
  #damagedRecords = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const name = baseName(change.path);
    if (change.kind === 'tail') {
      if (change.isFromStart) this.#forgetLog();
      this.#logPath = change.path;
      this.#changedAt = change.modifiedAt;
      for (const bytes of this.#file.take(change.content, change.isFromStart)) this.#takeBytes(bytes);
    } else if (change.kind === 'whole') this.#takeFile(name, change.path, change.content);
  }

  evidence(): readonly RunEvidence[] {
    if (this.#logPath === null && this.#configFilePath === null && this.#summaryPath === null) return [];
    const facts = (this.#facts ??= this.#toFacts());
    const run = this.#run;
    const source = this.#source('run record');
    const group = [run?.project ?? '', run?.sweep === '' || !run ? '' : `sweep ${run.sweep}`, run?.group ?? ''];
    const startedAt = run && run.startedAt > 0 ? run.startedAt : this.#metrics.firstTime;
    return [
      toEvidence({
        format: wandb.format,
        key: this.#folder,
        folder: this.#folder,
        trackerId: run?.id ? run.id : null,
        curveSource: this.#hasHistory ? this.#source('history') : null,
        name: toFact(toText(run?.name), source),
        group: toFact(toText(group.filter((part) => part !== '').join(' / ')), source),
        tags: run?.tags ?? [],
        notes: toFact(toText(run?.notes), source),
        ...facts.evidence,
        environment: this.#environment,
        curves: this.#metrics.curves,
        summary: this.#toSummary(),
        progress: this.#metrics.toProgress(facts.totalSteps, facts.totalEpochs),
        signs: this.#toSigns(),
        process: this.#host === '' ? null : { host: this.#host, pid: null },
        startedAt,
        endedAt: this.#toEnd(startedAt),
        lastSignAt: this.#changedAt,
        resumedFrom: run === null ? null : run.forkedFrom !== '' ? run.forkedFrom : run.isResumed ? run.id : null,
        problems: this.#toProblems(),
      }),
    ];
  }

  #takeBytes(bytes: Uint8Array): void {
    try {
      const record = parseWandbRecord(bytes);
      if (record) this.#takeRecord(record);
    } catch {
      this.#damagedRecords += 1;
    }
  }

  #takeRecord(record: WandbRecord): void {
    switch (record.kind) {
      case 'history':
        if (!this.#hasHistory) this.#metrics.clear();
        this.#hasHistory = true;
        this.#takeRow(new Map(record.items), record.step, this.#source('history'));
        return;
      case 'summary':
        for (const [name, json] of record.updates)
          if (!name.startsWith('_') && (this.#summary.has(name) || this.#summary.size < MAX_SUMMARY))
            this.#summary.set(name, json);
        return;
      case 'metric':
        this.#axes.define(record.name, record.glob, record.stepMetric);
        return;
      case 'config':
        this.#takeConfig(record.updates);
        for (const name of record.removals) this.#config.delete(name);
        return;
      case 'run':
        this.#run = record.run;
        this.#host = record.run.host || this.#host;
        this.#takeConfig(record.config);
        return;
      case 'exit':
        if (record.isComplete) this.#exit = { code: record.code, runtime: record.runtime };
        return;
      case 'environment':
        this.#host = record.host || this.#host;
        for (const [name, value] of record.values) {
          this.#environment.set(name, { value, source: this.#source('environment') });
        }
        return;
      case 'output':
        this.#takeOutput(record.isError ? this.#output.stderr : this.#output.stdout, record.text);
        return;
      default:
        record satisfies never;
    }
  }

  #takeRow(row: ReadonlyMap<string, unknown>, counter: number, source: FactSource): void {
    const seconds = toFinite(row.get('_timestamp'));
    const time = seconds === null ? null : seconds * 1000;
    const named = this.#axes.toNamedStep(row);
    const step = named === null ? (toFinite(row.get('_step')) ?? counter) : this.#metrics.toRowStep(named, row.keys());
    this.#metrics.see(step, time);
    for (const [name, raw] of row) {
      const value = name.startsWith('_') || this.#axes.isStep(name) ? null : toMetricValue(raw);
      if (value === null) continue;
      if (this.#hasHistory) this.#rowNames.add(name);
      this.#metrics.add(name, value, this.#axes.toOwnStep(name, row) ?? step, time, source);
    }
  }

  /** The figures of rows, and what was only written into the summary: HF's `train_runtime`, and what people put there. */
  #toSummary(): ReadonlyMap<string, Fact<number>> {
    const found = new Map(this.#metrics.summary);
    if (!this.#hasHistory && this.#summaryPath !== null) return found;
    for (const [name, json] of this.#summary) {
      if (this.#rowNames.has(name) || this.#axes.isStep(name)) continue;
      const value = toMetricValue(parseValue(json));
      const shown = toMetricName(name);
      if (value !== null && !found.has(shown)) found.set(shown, { value, source: this.#source('summary') });
    }
    return found;
  }

  #takeConfig(items: WandbItems): void {
    for (const [name, value] of items) if (!name.startsWith('_wandb')) this.#config.set(name, value);
    this.#facts = null;
  }

  #takeOutput(tail: LogTail, text: Uint8Array): void {
    for (const line of tail.take(text, false)) this.#output.errors.take(line);
  }

  #takeFile(name: string, path: string, content: Uint8Array): void {
    if (name === 'requirements.txt') {
      const source = { file: path, place: null };
      for (const [key, value] of toPackageVersions(content)) this.#environment.set(key, { value, source });
    } else if (name === 'config.yaml') {
      this.#configFile = Object.fromEntries(
        Object.entries(parseYamlRecord(content))
          .filter(([key, value]) => !key.startsWith('_wandb') && isObject(value) && 'value' in value)
          .map(([key, value]) => [key, (value as JsonObject)['value']]),
      );
      this.#configFilePath = path;
      this.#facts = null;
    } else this.#takeJson(name, path, parseLooseJsonBytes(content));
  }

  #takeJson(name: string, path: string, value: unknown): void {
    if (!isObject(value)) return;
    if (name === 'wandb-summary.json') {
      this.#summaryPath = path;
      // Without a log, or before its first row, the last values are all that is known.
      if (this.#hasHistory) return;
      this.#metrics.clear();
      this.#takeRow(new Map(Object.entries(value)), 0, { file: path, place: null });
    } else if (name === 'wandb-metadata.json') {
      this.#host ||= toText(value['host']) ?? '';
      for (const key of METADATA) {
        const text = toText(value[key]) ?? toFinite(value[key])?.toString();
        if (text !== undefined && !this.#environment.has(key)) {
          this.#environment.set(key, { value: text, source: { file: path, place: key } });
        }
      }
    }
  }

  #toFacts(): TrainerFacts {
    if (this.#config.size > 0 || this.#configFilePath === null) {
      const jobType = this.#run?.jobType ?? '';
      const about = jobType === '' ? {} : { job_type: jobType };
      return toTrainerFacts({ ...about, ...Object.fromEntries(this.#config) }, this.#source('config'));
    }
    return toTrainerFacts(this.#configFile, { file: this.#configFilePath, place: null });
  }

  #toSigns(): readonly StatusSign[] {
    const at = this.#toEnd(this.#run?.startedAt ?? null);
    const signs: StatusSign[] = [];
    const runtime = this.#toSummary().get('train_runtime');
    if (runtime) signs.push({ kind: 'finished', reason: 'train/train_runtime was logged', at, source: runtime.source });
    if (!this.#exit) return signs;
    const { code } = this.#exit;
    const source = this.#source('exit record');
    const error = this.#output.errors.error?.message;
    const reason = `exit code ${code}${code === 0 || error === undefined ? '' : `: ${error}`}`;
    const kind = code === 0 ? 'finished' : code === INTERRUPT_CODE ? 'interrupted' : 'failed';
    return [{ kind, reason, at, source }, ...signs];
  }

  #toEnd(startedAt: number | null): number | null {
    if (!this.#exit) return null;
    const byRuntime = startedAt === null || this.#run?.isResumed ? null : startedAt + this.#exit.runtime * 1000;
    return Math.max(byRuntime ?? 0, this.#metrics.lastTime ?? 0) || null;
  }

  #toProblems(): readonly string[] {
    if (this.#file.damaged + this.#damagedRecords === 0) return this.#metrics.problems;
    return [
      ...this.#metrics.problems,
      `Parts of ${baseName(this.#logPath ?? this.#folder)} are damaged, so some rows may be missing. Copy the file again.`,
    ];
  }

  #source(place: string): FactSource {
    return { file: this.#logPath ?? this.#folder, place };
  }

  #forgetLog(): void {
    this.#metrics.clear();
    this.#axes.clear();
    this.#summary.clear();
    this.#rowNames.clear();
    this.#config = new Map();
    this.#facts = null;
    this.#run = null;
    this.#exit = null;
    this.#hasHistory = false;
    this.#damagedRecords = 0;
    this.#output.errors.clear();
  }
}

const parseValue = (json: string): unknown => {
  try {
    return parseLooseJson(json);
  } catch {
    return null;
  }
};

/** Versions by package name, in lower case with `-`. */
function toPackageVersions(content: Uint8Array): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of new TextDecoder().decode(content).split('\n')) {
    const [, raw, version] = PACKAGE.exec(line) ?? [];
    const name = raw?.toLowerCase().replaceAll('_', '-');
    if (name !== undefined && version !== undefined && PACKAGES.has(name)) found.set(name, version);
  }
  return found;
}
