// The files that a run leaves: a whole model in F16 and in Q8_0, or an adapter.
import { join } from 'node:path';
import type { TrainerJob, TrainerResult } from '#shared/contract/training/trainerProtocol.ts';
import type { GgufHeader } from '#server/engine/gguf/ggufHeader.ts';
import { replaceFile } from '#server/nano/files/checkpoint.ts';
import { writeAdapter, writeModel } from '#server/nano/files/writeModel.ts';
import type { Transformer } from '#server/nano/model/transformer.ts';
import type { ExportedFile } from './measureExport.ts';

export interface WrittenResult {
  readonly model: Extract<TrainerResult['model'], { file: string }>;
  /** What can be served of it: the first is the model itself. */
  readonly files: readonly ExportedFile[];
}

/**
 * Writes into the output folder. The served file is F16, which answers as the trainer does; a Q8_0 file of half the size
 * is beside it. An adapter has both files of the merged model beside it.
 */
export function writeResult(model: Transformer, base: GgufHeader, job: TrainerJob): WrittenResult {
  const name = `ft-${job.base.id}-${job.experiment_id.slice(0, 8)}`;
  const write = (file: string, bytes: Uint8Array): string => {
    const path = join(job.output, file);
    replaceFile(path, [bytes]);
    return path;
  };
  const toFile = (format: string, path: string, adapter: string | null, isServed: boolean): ExportedFile => ({
    format,
    path,
    adapter,
    isServed,
  });
  const [whole, small] = (['F16', 'Q8_0'] as const).map((type) =>
    write(`model.${type}.gguf`, writeModel(base, name, type, model.mergedTensor)),
  ) as [string, string];
  if (job.training_type === 'full' || job.lora === null)
    return {
      model: { file: whole, kind: 'gguf' },
      files: [toFile('F16', whole, null, true), toFile('Q8_0', small, null, false)],
    };
  const matrices = [...model.trained.plan.places.values()].map(({ name: matrix, rows, columns }) => ({
    name: matrix,
    rows,
    columns,
    numbers: model.trainedTensor(matrix),
  }));
  const adapter = write('adapter.F16.gguf', writeAdapter(name, job.lora, matrices));
  return {
    model: { file: adapter, kind: 'adapter' },
    files: [
      toFile('adapter', job.base.file ?? '', adapter, true),
      toFile('merged F16', whole, null, false),
      toFile('merged Q8_0', small, null, false),
    ],
  };
}
