// The files that a run leaves: a whole model in F16 and in Q8_0, or an adapter.
import { join } from 'node:path';
import type { TrainerJob, TrainerResult } from '#shared/contract/training/trainerProtocol.ts';
import type { GgufHeader } from '#server/engine/gguf/ggufHeader.ts';
import { replaceFile } from '#server/nano/files/checkpoint.ts';
import { writeAdapter, writeModel } from '#server/nano/files/writeModel.ts';
import type { Transformer } from '#server/nano/model/transformer.ts';

/**
 * Writes into the output folder. The served file is F16, which answers as the trainer does; a Q8_0 file of half the size
 * is beside it.
 */
export function writeResult(model: Transformer, base: GgufHeader, job: TrainerJob): TrainerResult['model'] {
  const name = `ft-${job.base.id}-${job.experiment_id.slice(0, 8)}`;
  const write = (file: string, bytes: Uint8Array): string => {
    const path = join(job.output, file);
    replaceFile(path, [bytes]);
    return path;
  };
  if (job.training_type === 'full' || job.lora === null) {
    write('model.Q8_0.gguf', writeModel(base, name, 'Q8_0', model.tensor));
    return { file: write('model.F16.gguf', writeModel(base, name, 'F16', model.tensor)), kind: 'gguf' };
  }
  const matrices = [...model.trained.plan.places.values()].map(({ name: matrix, rows, columns }) => ({
    name: matrix,
    rows,
    columns,
    numbers: model.trainedTensor(matrix),
  }));
  return { file: write('adapter.F16.gguf', writeAdapter(name, job.lora, matrices)), kind: 'adapter' };
}
