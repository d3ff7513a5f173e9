// ms-swift: `args.json` has all settings from the start, `logging.jsonl` a row for each log event. Checkpoints are those of
// HF's Trainer.
import { isObject } from '#core/contract/readJson.ts';
import type { RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName } from '#features/runs/server/paths.ts';
import type { FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, wantFiles, type LogLine, type WholeFile } from './folderReading.ts';
import { parseLooseJsonBytes, parseLooseObject, toFinite, toText } from './looseJson.ts';
import { checkpointFolders } from './outputFolder.ts';
import { numberOf } from './pythonDict.ts';

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
    const hasLog = folder.files.has(LOG);
    // Both names are common.
    if (!folder.files.has(ARGUMENTS) || !(hasLog || checkpointFolders(folder).length > 0)) return [];
    const files = [...wantFiles(folder, 'whole', [ARGUMENTS]), ...wantFiles(folder, 'tail', [LOG])];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new SwiftReading(folder),
};

class SwiftReading extends FolderReading {
  #totalSteps: number | null = null;
  #end: StatusSign | null = null;

  evidence(): readonly RunEvidence[] {
    const { values } = this.written;
    // Another tool has such a file, too.
    if (!('model' in values || 'model_id_or_path' in values)) return [];
    const type = this.written.text('tuner_type', 'train_type', 'sft_type');
    return this.toEvidence(swift.format, {
      outputDir: this.written.text('output_dir'),
      baseModel: this.written.text('model', 'model_id_or_path'),
      datasets: this.written.texts(values['dataset']),
      method: this.written.text('rlhf_type'),
      isAdapter: type && { ...type, value: type.value !== 'full' },
      curveSource: { file: this.path(LOG), place: null },
      progress: this.log.toProgress(this.#totalSteps ?? toFinite(values['max_steps']), null),
      signs: this.#end ? [this.#end] : [],
    });
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    const values = parseLooseJsonBytes(content);
    if (isObject(values)) this.takeSettings(values, { file: path, place: null });
  }

  protected override takeLine({ path, text, at }: LogLine): void {
    const row = parseLooseObject(text);
    if (!row) return;
    const source = { file: path, place: null };
    const [step, total] = toText(row[STEPS])?.split('/').map(Number) ?? [toFinite(row['global_step'])];
    if (CLOSING.some((name) => name in row)) {
      this.#end = { kind: 'finished', reason: `the last row of ${LOG} was written`, at, source };
      return;
    }
    if (step === undefined || step === null || !Number.isFinite(step)) return;
    if (this.log.goTo(step)) this.#end = null;
    if (total !== undefined && Number.isFinite(total)) this.#totalSteps = total;
    for (const [name, raw] of Object.entries(row)) {
      const value = COUNTERS.has(name) ? null : numberOf(raw);
      if (value !== null) this.log.add(name, value, step, null, source);
    }
    if ('train_runtime' in row) this.#end = { kind: 'finished', reason: 'train_runtime was logged', at, source };
  }

  protected override forget(path: string): void {
    if (baseName(path) !== LOG) return this.dropSettings();
    this.log.clear();
    this.#totalSteps = this.#end = null;
    return undefined;
  }
}
