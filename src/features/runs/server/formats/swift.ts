// ms-swift: `args.json` has all settings from the start, `logging.jsonl` a row for each log event. Checkpoints are those of
// HF's Trainer.
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
import { parseLooseJsonBytes, parseLooseObject, toFinite, toText } from './looseJson.ts';
import { MetricLog, toMetricValue } from './metricLog.ts';
import { checkpointFolders } from './outputFolder.ts';
import { numberOf } from './pythonDict.ts';
import { addSettings } from './settings.ts';

const LOG = 'logging.jsonl';
const ARGUMENTS = 'args.json';
/** `12/93`: the step, and the last one. Older versions: `global_step`. */
const STEPS = 'global_step/max_steps';
const COUNTERS = new Set([STEPS, 'global_step', 'percentage', 'elapsed_time', 'remaining_time']);
/** What the row after the training has. */
const CLOSING = ['last_model_checkpoint', 'best_model_checkpoint'];

export const swift: FormatReader = {
  format: 'ms-swift',
  label: 'ms-swift',
  recognise(folder) {
    const hasArguments = folder.files.has(ARGUMENTS);
    const hasLog = folder.files.has(LOG);
    // Both names are common.
    if (!(hasArguments && (hasLog || checkpointFolders(folder).length > 0))) return [];
    return [
      {
        key: folder.path,
        files: [
          { path: pathIn(folder.path, ARGUMENTS), read: { mode: 'whole' } },
          ...(hasLog ? [{ path: pathIn(folder.path, LOG), read: { mode: 'tail' } } as const] : []),
        ],
      },
    ];
  },
  open: (_claim, folder) => new SwiftReading(folder.path),
};

class SwiftReading implements RunReading {
  readonly #folder: string;
  readonly #log = new MetricLog();
  readonly #tail = new LogTail();
  #args: JsonObject | null = null;
  #parameters = new Map<string, Fact<ParameterValue>>();
  #totalSteps: number | null = null;
  #end: StatusSign | null = null;
  #changedAt: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    if (change.kind === 'gone') {
      if (baseName(change.path) === LOG) this.#forgetLog();
      else this.#args = null;
      return;
    }
    this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
    if (change.kind === 'whole') this.#takeArguments(change.path, change.content);
    else if (change.kind === 'tail') {
      if (change.isFromStart) this.#forgetLog();
      const source = { file: change.path, place: null };
      for (const line of this.#tail.take(change.content, change.isFromStart)) {
        const row = parseLooseObject(line);
        if (row) this.#takeRow(row, source, change.modifiedAt);
      }
    }
  }

  evidence(): readonly RunEvidence[] {
    const args = this.#args;
    // Another tool has such a file, too.
    if (!args || !('model' in args || 'model_id_or_path' in args)) return [];
    const source = { file: pathIn(this.#folder, ARGUMENTS), place: null };
    const type = toText(args['tuner_type']) ?? toText(args['train_type']) ?? toText(args['sft_type']);
    const datasets = Array.isArray(args['dataset']) ? args['dataset'].filter((name) => typeof name === 'string') : [];
    return [
      toEvidence({
        format: swift.format,
        key: this.#folder,
        folder: this.#folder,
        outputDir: toFact(toText(args['output_dir']), source),
        baseModel: toFact(toText(args['model']) ?? toText(args['model_id_or_path']), source),
        datasets: toFact(datasets.length > 0 ? datasets : null, source),
        method: toFact(toText(args['rlhf_type']), source),
        isAdapter: toFact(type === null ? null : type !== 'full', source),
        parameters: this.#parameters,
        curves: this.#log.curves,
        curveSource: { file: pathIn(this.#folder, LOG), place: null },
        summary: this.#log.summary,
        progress: this.#log.toProgress(this.#totalSteps ?? toFinite(args['max_steps']), null),
        signs: this.#end ? [this.#end] : [],
        lastSignAt: this.#changedAt,
      }),
    ];
  }

  #takeArguments(path: string, content: Uint8Array): void {
    const args = parseLooseJsonBytes(content);
    if (!isObject(args)) return;
    this.#args = args;
    this.#parameters = new Map();
    addSettings(this.#parameters, args, { file: path, place: null });
  }

  #takeRow(row: JsonObject, source: FactSource, at: number): void {
    const [step, total] = toText(row[STEPS])?.split('/').map(Number) ?? [toFinite(row['global_step'])];
    if (CLOSING.some((name) => name in row)) {
      this.#end = { kind: 'finished', reason: `the last row of ${LOG} was written`, at, source };
      return;
    }
    if (step === undefined || step === null || !Number.isFinite(step)) return;
    // A run that was resumed in the same folder goes on in the same log.
    if (this.#log.step !== null && step < this.#log.step) {
      this.#log.dropFrom(step);
      this.#end = null;
    }
    if (total !== undefined && Number.isFinite(total)) this.#totalSteps = total;
    this.#log.see(step, null);
    for (const [name, raw] of Object.entries(row)) {
      const value = COUNTERS.has(name)
        ? null
        : (toMetricValue(raw) ?? (typeof raw === 'string' ? numberOf(raw) : null));
      if (value !== null) this.#log.add(name, value, step, null, source);
    }
    if ('train_runtime' in row) this.#end = { kind: 'finished', reason: 'train_runtime was logged', at, source };
  }

  #forgetLog(): void {
    this.#log.clear();
    this.#totalSteps = null;
    this.#end = null;
  }
}
