// torchtune: `torchtune_config.yaml`, one log for each start in `logs/`, and a folder for each saved epoch.
import type { JsonObject } from '#core/contract/readJson.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';
import type { Checkpoint, RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName, filesBelow, folderOf } from '#features/runs/server/paths.ts';
import type { FileEntry, FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, sourceOfLine, toWeights, wantFiles, type LogLine, type WholeFile } from './folderReading.ts';
import { parseLooseObject, toFinite, toRecord, toText } from './looseJson.ts';
import { numberOf } from './pythonDict.ts';
import { flattenSettings } from './settings.ts';

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

export const torchtune: FormatReader = {
  format: 'torchtune',
  label: 'torchtune',
  recognise(folder) {
    if (!folder.files.has(CONFIG)) return [];
    const logs = folder.folders.get('logs');
    const logNames = [...(logs?.files.keys() ?? [])].filter((name) => LOG.test(name)).sort();
    const saved = [...folder.folders.values()].filter(({ path }) => SAVED.test(baseName(path)));
    const files = [
      ...wantFiles(folder, 'whole', [CONFIG]),
      ...(logs ? wantFiles(logs, 'tail', logNames) : []),
      ...saved
        .flatMap((each) => filesBelow(each))
        .slice(0, MAX_SAVED_FILES)
        .map(({ path }) => ({ path, read: { mode: 'stat' } }) as const),
    ];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new TorchtuneReading(folder, { live: ['tail'] }),
};

class TorchtuneReading extends FolderReading {
  evidence(): readonly RunEvidence[] {
    const { values } = this.written;
    const checkpoints = this.#toCheckpoints();
    const started = this.logs.map((path) => Number(LOG.exec(baseName(path))?.[1]) * 1000);
    return this.toEvidence(torchtune.format, {
      curveSource: { file: this.logs.at(-1) ?? this.path(CONFIG), place: null },
      outputDir: this.written.text('output_dir'),
      baseModel: this.written.fact(toText(toRecord(values['checkpointer'])['checkpoint_dir'])),
      datasets: this.written.texts(readDatasets(values['dataset'])),
      method: this.written.fact(readMethod(values)),
      isAdapter: this.written.fact(readIsAdapter(values)),
      progress: this.log.toProgress(null, toFinite(values['epochs'])),
      signs: this.#toSigns(checkpoints),
      startedAt: started.length > 0 ? Math.min(...started) : null,
      checkpoints,
    });
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    const values = parseYamlRecord(content);
    this.takeSettings(values, { file: path, place: null }, flattenSettings(values));
  }

  protected override takeLine(line: LogLine): void {
    const row = line.path.endsWith('.jsonl') ? parseJsonRow(line.text) : parseTextRow(line.text);
    if (!row) return;
    // A later start repeats the steps after its checkpoint, or all.
    this.log.goTo(row.step);
    for (const [name, value] of row.values)
      this.log.add(NAMES[name] ?? name, value, row.step, null, sourceOfLine(line));
  }

  #toCheckpoints(): readonly Checkpoint[] {
    const folders = new Map<string, FileEntry[]>();
    for (const [path, file] of this.saved) {
      const inner = path.slice(this.path('').length);
      const folder = this.path(inner.slice(0, inner.indexOf('/')));
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    return [...folders].map(([path, files]) => {
      const names = files.filter(({ name }) => folderOf(name) === path).map(({ name }) => baseName(name));
      const weights = names.filter((name) => WEIGHTS.test(name));
      const [, unit, count] = SAVED.exec(baseName(path)) ?? [];
      const isAdapter = weights.length > 0 && weights.every((name) => name.startsWith('adapter_'));
      return toWeights(files, {
        path,
        step: unit === 'step' ? Number(count) : null,
        kind: isAdapter ? 'adapter' : weights.length > 0 ? 'full' : 'unknown',
        isComplete: weights.length > 0,
      });
    });
  }

  /** torchtune writes no end: the last epoch that was planned is the sign. Epochs count from 0. */
  #toSigns(checkpoints: readonly Checkpoint[]): readonly StatusSign[] {
    const epochs = toFinite(this.written.values['epochs']);
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
    const value = name === 'step' ? null : numberOf(raw);
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
