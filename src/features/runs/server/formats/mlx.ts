// mlx-lm: `adapter_config.json` with all its arguments from the start, numbered adapters, and rows only on the console:
// they are read if the console was redirected into a file of the same folder.
import { isObject, type JsonObject } from '#core/contract/reading.ts';
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
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { parseLooseJsonBytes, toFinite, toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { numberOf } from './pythonDict.ts';
import { addSettings, flattenSettings } from './settings.ts';
import { TracebackWatch } from './traceback.ts';

const CONFIG = 'adapter_config.json';
const ADAPTER = /^(?:(\d{7})_)?adapters\.safetensors$/;
const CONSOLE = /\.(?:log|out|txt)$/;
const MAX_CONSOLES = 3;
/** `Iter 10: Train loss 2.345, Learning Rate 1.000e-05, It/sec 1.2, Tokens/sec 512.0, ...` (before 0.32) */
const OLD_LINE = /^Iter (\d+): (.*)$/;
const OLD_VALUE = /(Train loss|Val loss|Learning Rate|Tokens\/sec|Trained Tokens|Peak mem) ([^\s,]+)/g;
const OLD_NAMES: Readonly<Record<string, string>> = {
  'Train loss': 'loss',
  'Val loss': 'eval_loss',
  'Learning Rate': 'learning_rate',
  'Tokens/sec': 'tokens_per_second',
  'Trained Tokens': 'num_tokens',
  'Peak mem': 'peak_memory_gb',
};
/** `    10    2.345 ▼      512      5.1k`: iteration, loss, tokens in a second, tokens in thousands (0.32) */
const TRAIN_LINE = /^\s*(\d+)\s+(\S+) [▼▲]\s+([\d,]+|nan|inf)\s+(\S+)k$/;
/** `    10    val 2.901    3.02s` */
const EVAL_LINE = /^\s*(\d+)\s+val\s+(\S+)\s+\S+s$/;
const END_LINE = 'Saved final weights to ';

export const mlx: FormatReader = {
  format: 'mlx-lm',
  label: 'mlx-lm',
  recognise(folder) {
    const names = [...folder.files.keys()];
    // PEFT has a file with this name too, beside `adapter_model`.
    if (!folder.files.has(CONFIG) || names.some((name) => name.startsWith('adapter_model.'))) return [];
    const adapters = names.filter((name) => ADAPTER.test(name)).sort();
    const consoles = names.filter((name) => CONSOLE.test(name)).slice(0, MAX_CONSOLES);
    return [
      {
        key: folder.path,
        files: [
          { path: pathIn(folder.path, CONFIG), read: { mode: 'whole' } },
          ...adapters.map((name) => ({ path: pathIn(folder.path, name), read: { mode: 'stat' } }) as const),
          ...consoles.map(
            (name) => ({ path: pathIn(folder.path, name), read: { mode: 'tail', from: 'end' } }) as const,
          ),
        ],
      },
    ];
  },
  open: (_claim, folder) => new MlxReading(folder.path),
};

class MlxReading implements RunReading {
  readonly #folder: string;
  readonly #metrics = new MetricLog();
  readonly #tails = new Map<string, LogTail>();
  readonly #errors = new TracebackWatch();
  readonly #saved = new Map<string, { readonly bytes: number; readonly modifiedAt: number }>();
  #config: JsonObject | null = null;
  #parameters = new Map<string, Fact<ParameterValue>>();
  #end: FactSource | null = null;
  #consolePath = '';
  #changedAt: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    if (change.kind === 'gone') {
      this.#saved.delete(change.path);
      if (baseName(change.path) === CONFIG) this.#config = null;
      return;
    }
    this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
    if (change.kind === 'stat') this.#saved.set(change.path, change);
    else if (change.kind === 'whole') this.#takeConfig(change.path, change.content);
    else if (change.kind === 'tail') this.#takeConsole(change.path, change.content, change.isFromStart);
  }

  evidence(): readonly RunEvidence[] {
    const config = this.#config;
    if (!config) return [];
    const source = { file: pathIn(this.#folder, CONFIG), place: null };
    const data = toText(config['data']);
    const type = toText(config['fine_tune_type']);
    return [
      toEvidence({
        format: mlx.format,
        key: this.#folder,
        folder: this.#folder,
        curveSource: this.#consolePath === '' ? null : { file: this.#consolePath, place: null },
        outputDir: toFact(toText(config['adapter_path']), source),
        group: toFact(toText(config['project_name']), source),
        baseModel: toFact(toText(config['model']), source),
        datasets: data === null ? null : { value: [data], source },
        isAdapter: toFact(type === null ? null : type !== 'full', source),
        parameters: this.#parameters,
        curves: this.#metrics.curves,
        progress: this.#metrics.toProgress(toFinite(config['iters']), null),
        signs: this.#toSigns(config),
        lastSignAt: this.#changedAt,
        checkpoints: this.#toCheckpoints(type),
        resumedFrom: toText(config['resume_adapter_file']),
      }),
    ];
  }

  #takeConfig(path: string, content: Uint8Array): void {
    const value = parseLooseJsonBytes(content);
    this.#config = isObject(value) && 'fine_tune_type' in value && !('peft_type' in value) ? value : null;
    this.#parameters = new Map();
    if (!this.#config) return;
    addSettings(this.#parameters, flattenSettings(this.#config), { file: path, place: null });
    if (this.#config['fine_tune_type'] === 'dora')
      this.#parameters.set('use_dora', { value: true, source: { file: path, place: 'fine_tune_type' } });
  }

  #takeConsole(path: string, content: Uint8Array, isFromStart: boolean): void {
    const tail = this.#tails.get(path) ?? new LogTail({ isConsole: true });
    this.#tails.set(path, tail);
    this.#consolePath = path;
    for (const line of tail.take(content, isFromStart)) {
      if (line.startsWith(END_LINE)) this.#end = { file: path, place: END_LINE.trim() };
      else if (this.#takeLine(line, { file: path, place: null })) {
        this.#errors.clear();
        this.#end = null;
      } else this.#errors.take(line);
    }
  }

  /** true: the line is a row. */
  #takeLine(line: string, source: FactSource): boolean {
    const row = parseRow(line);
    if (!row) return false;
    if (this.#metrics.step !== null && row.step < this.#metrics.step) this.#metrics.dropFrom(row.step);
    for (const [name, text] of row.values) {
      const value = numberOf(text.replaceAll(',', ''));
      if (value !== null) this.#metrics.add(name, value, row.step, null, source);
    }
    return true;
  }

  #toSigns(config: JsonObject): readonly StatusSign[] {
    const signs: StatusSign[] = [];
    if (this.#end)
      signs.push({ kind: 'finished', reason: 'the final weights were saved', at: null, source: this.#end });
    const iterations = toFinite(config['iters']);
    const last = [...this.#saved].find(([path]) => toStep(path) !== null && toStep(path) === iterations);
    if (last) {
      const [file, { modifiedAt }] = last;
      const reason = 'the adapter of the last iteration was saved';
      signs.push({ kind: 'complete', reason, at: modifiedAt, source: { file, place: null } });
    }
    return [...signs, ...this.#errors.toSigns({ file: this.#consolePath, place: null }, null)];
  }

  #toCheckpoints(type: string | null): readonly Checkpoint[] {
    return [...this.#saved].map(([path, { bytes, modifiedAt }]) => ({
      path,
      step: toStep(path),
      kind: type === null ? 'unknown' : type === 'full' ? 'full' : 'adapter',
      bytes,
      isComplete: bytes > 0,
      measures: new Map<string, number>(),
      savedAt: modifiedAt,
    }));
  }
}

function toStep(path: string): number | null {
  const [, step] = ADAPTER.exec(baseName(path)) ?? [];
  return step === undefined ? null : Number(step);
}

function parseRow(line: string): { step: number; values: readonly (readonly [name: string, text: string])[] } | null {
  const [, oldStep, rest] = OLD_LINE.exec(line) ?? [];
  if (oldStep !== undefined && rest !== undefined) {
    const values = [...rest.matchAll(OLD_VALUE)].map(
      ([, name = '', text = '']) => [OLD_NAMES[name] ?? name, text] as const,
    );
    return values.length > 0 ? { step: Number(oldStep), values } : null;
  }
  const [, step, loss, speed] = TRAIN_LINE.exec(line) ?? [];
  if (step !== undefined && loss !== undefined && speed !== undefined) {
    const values = [
      ['loss', loss],
      ['tokens_per_second', speed],
    ] as const;
    return { step: Number(step), values };
  }
  const [, evalStep, evalLoss] = EVAL_LINE.exec(line) ?? [];
  if (evalStep === undefined || evalLoss === undefined) return null;
  return { step: Number(evalStep), values: [['eval_loss', evalLoss]] };
}
