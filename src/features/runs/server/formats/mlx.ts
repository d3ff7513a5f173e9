// mlx-lm: `adapter_config.json` with all its arguments from the start, numbered adapters, and rows only on the console:
// they are read if the console was redirected into a file of the same folder.
import { isObject } from '#core/contract/readJson.ts';
import type { FactSource, RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, toWeights, wantFiles, type LogLine, type WholeFile } from './folderReading.ts';
import { parseLooseJsonBytes, toFinite } from './looseJson.ts';
import { numberOf } from './pythonDict.ts';
import { flattenSettings } from './settings.ts';

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
    const consoles = names.filter((name) => CONSOLE.test(name)).slice(0, MAX_CONSOLES);
    const files = [
      ...wantFiles(folder, 'whole', [CONFIG]),
      ...wantFiles(folder, 'stat', names.filter((name) => ADAPTER.test(name)).sort()),
      ...consoles.map((name) => ({ path: pathIn(folder.path, name), read: { mode: 'tail', from: 'end' } }) as const),
    ];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new MlxReading(folder, { isConsole: true }),
};

class MlxReading extends FolderReading {
  #end: FactSource | null = null;
  #console: string | null = null;

  evidence(): readonly RunEvidence[] {
    if (!this.settings) return [];
    const { values } = this.settings;
    const type = this.settings.text('fine_tune_type');
    const data = this.settings.text('data');
    return this.toEvidence(mlx.format, {
      curveSource: this.#console === null ? null : { file: this.#console, place: null },
      outputDir: this.settings.text('adapter_path'),
      group: this.settings.text('project_name'),
      baseModel: this.settings.text('model'),
      datasets: data && { ...data, value: [data.value] },
      isAdapter: type && { ...type, value: type.value !== 'full' },
      progress: this.log.toProgress(toFinite(values['iters']), null),
      signs: this.#toSigns(toFinite(values['iters'])),
      checkpoints: [...this.saved].map(([path, file]) =>
        toWeights([file], {
          path,
          step: toStep(path),
          kind: type === null ? 'unknown' : type.value === 'full' ? 'full' : 'adapter',
          isComplete: file.bytes > 0,
        }),
      ),
      resumedFrom: this.settings.text('resume_adapter_file')?.value ?? null,
    });
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    const value = parseLooseJsonBytes(content);
    this.dropSettings();
    if (!isObject(value) || !('fine_tune_type' in value) || 'peft_type' in value) return;
    const shown = flattenSettings(value);
    this.takeSettings(value, { file: path, place: null }, shown);
    if (value['fine_tune_type'] === 'dora')
      this.parameters = new Map(this.parameters).set('use_dora', {
        value: true,
        source: { file: path, place: 'fine_tune_type' },
      });
  }

  protected override takeLine({ path, text }: LogLine): void {
    this.#console = path;
    const row = parseRow(text);
    if (text.startsWith(END_LINE)) this.#end = { file: path, place: END_LINE.trim() };
    else if (!row) this.errors.take(text);
    else {
      this.errors.clear();
      this.#end = null;
      this.log.goTo(row.step);
      for (const [name, written] of row.values) {
        const value = numberOf(written.replaceAll(',', ''));
        if (value !== null) this.log.add(name, value, row.step, null, { file: path, place: null });
      }
    }
  }

  #toSigns(iterations: number | null): readonly StatusSign[] {
    const signs: StatusSign[] = [];
    if (this.#end)
      signs.push({ kind: 'finished', reason: 'the final weights were saved', at: null, source: this.#end });
    const last = [...this.saved].find(([path]) => toStep(path) !== null && toStep(path) === iterations);
    if (last) {
      const [file, { modifiedAt }] = last;
      const reason = 'the adapter of the last iteration was saved';
      signs.push({ kind: 'complete', reason, at: modifiedAt, source: { file, place: null } });
    }
    return [...signs, ...this.errors.toSigns({ file: this.#console ?? '', place: null }, null)];
  }

  protected override forget(path: string): void {
    if (baseName(path) === CONFIG) this.dropSettings();
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
