// PyTorch Lightning: the folder of a version, with what `CSVLogger` writes, the settings that `save_hyperparameters` gave to
// a logger, and checkpoints. Event files beside them are TensorBoard's.
import type { JsonObject } from '#core/contract/reading.ts';
import {
  toEvidence,
  toFact,
  type Checkpoint,
  type Fact,
  type ParameterValue,
  type RunEvidence,
} from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { addMetricsCsv } from './metricsCsv.ts';
import { addSettings, flattenSettings } from './settings.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const METRICS = 'metrics.csv';
const SETTINGS = 'hparams.yaml';
/** `epoch=2-step=48.ckpt`, `last.ckpt`; `step` also where it is not named. */
const STEP = /(?:^|[-_])step=(\d{1,15})/;
const MAX_CHECKPOINTS = 1000;

export const lightning: FormatReader = {
  format: 'lightning',
  label: 'PyTorch Lightning',
  recognise(folder) {
    if (!folder.files.has(SETTINGS)) return [];
    const saved = checkpointsOf(folder).map(({ path }) => ({ path, read: { mode: 'stat' } }) as const);
    const whole = [SETTINGS, METRICS].filter((name) => folder.files.has(name));
    const files = whole.map((name) => ({ path: pathIn(folder.path, name), read: { mode: 'whole' } }) as const);
    return [{ key: folder.path, files: [...files, ...saved] }];
  },
  open: (_claim, folder) => new LightningReading(folder),
};

function checkpointsOf(folder: FolderView): readonly Checkpoint[] {
  const inner = folder.folders.get('checkpoints');
  return [...(inner?.files.values() ?? [])]
    .filter(({ name }) => name.endsWith('.ckpt'))
    .slice(0, MAX_CHECKPOINTS)
    .map(({ name, bytes, modifiedAt }) => {
      const step = STEP.exec(name)?.[1];
      return {
        path: pathIn(inner?.path ?? '', name),
        step: step === undefined ? null : Number(step),
        kind: 'full',
        bytes,
        isComplete: true,
        measures: new Map<string, number>(),
        savedAt: modifiedAt,
      };
    });
}

class LightningReading implements RunReading {
  readonly #folder: FolderView;
  #log = new MetricLog();
  #settings: JsonObject = {};
  #parameters = new Map<string, Fact<ParameterValue>>();
  #changedAt: number | null = null;

  constructor(folder: FolderView) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const name = baseName(change.path);
    if (change.kind === 'gone') {
      if (name === METRICS) this.#log = new MetricLog();
      return;
    }
    this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
    if (change.kind !== 'whole') return;
    const source = { file: change.path, place: null };
    if (name === METRICS) {
      this.#log = new MetricLog();
      addMetricsCsv(this.#log, change.content, source);
    } else {
      // A module without settings leaves `{}`.
      this.#settings = new TextDecoder().decode(change.content).trim() === '' ? {} : parseYamlRecord(change.content);
      this.#parameters = new Map();
      addSettings(this.#parameters, flattenSettings(this.#settings), source);
    }
  }

  evidence(): readonly RunEvidence[] {
    const { path } = this.#folder;
    const source = { file: pathIn(path, SETTINGS), place: null };
    return [
      toEvidence({
        format: lightning.format,
        key: path,
        folder: path,
        baseModel: toFact(toText(this.#settings['model_name_or_path']), source),
        parameters: this.#parameters,
        curves: this.#log.curves,
        curveSource: { file: pathIn(path, METRICS), place: null },
        summary: this.#log.summary,
        progress: this.#log.toProgress(null, null),
        lastSignAt: this.#changedAt,
        checkpoints: checkpointsOf(this.#folder),
        problems: this.#log.problems,
      }),
    ];
  }
}
