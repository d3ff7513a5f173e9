// PyTorch Lightning: the folder of a version, with what `CSVLogger` writes, the settings that `save_hyperparameters` gave to
// a logger, and checkpoints. Event files beside them are TensorBoard's.
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileEntry, FolderView, FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, toWeights, wantFiles, type WholeFile } from './folderReading.ts';
import { addMetricsCsv } from './metricsCsv.ts';
import { flattenSettings } from './settings.ts';

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
    const inner = folder.folders.get('checkpoints');
    const saved = checkpointsOf(folder).map(({ name }) => name);
    const files = [
      ...wantFiles(folder, 'whole', [SETTINGS, METRICS]),
      ...(inner ? wantFiles(inner, 'stat', saved) : []),
    ];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new LightningReading(folder),
};

const checkpointsOf = (folder: FolderView): readonly FileEntry[] =>
  [...(folder.folders.get('checkpoints')?.files.values() ?? [])]
    .filter(({ name }) => name.endsWith('.ckpt'))
    .slice(0, MAX_CHECKPOINTS);

class LightningReading extends FolderReading {
  evidence(): readonly RunEvidence[] {
    return this.toEvidence(lightning.format, {
      baseModel: this.written.text('model_name_or_path'),
      curveSource: { file: this.path(METRICS), place: null },
      progress: this.log.toProgress(null, null),
      checkpoints: checkpointsOf(this.folder).map((file) => {
        const step = STEP.exec(file.name)?.[1];
        const path = this.path(pathIn('checkpoints', file.name));
        return toWeights([file], { path, step: step === undefined ? null : Number(step), kind: 'full' });
      }),
    });
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    const source = { file: path, place: null };
    if (baseName(path) === METRICS) {
      this.log.clear();
      addMetricsCsv(this.log, content, source);
    } else {
      // A module without settings leaves `{}`.
      const isEmpty = new TextDecoder().decode(content).trim() === '';
      const values = isEmpty ? {} : parseYamlRecord(content);
      this.takeSettings(values, source, flattenSettings(values));
    }
  }

  protected override forget(path: string): void {
    if (baseName(path) === METRICS) this.log.clear();
  }
}
