// The files that a run leaves: a whole model in F16 and in Q8_0, or an adapter.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainerJob, TrainerResult } from '#trainer/protocol/trainerProtocol.ts';
import type { GgufHeader } from '#engine/gguf/ggufHeader.ts';
import { replaceFile } from '#trainer/files/checkpoint.ts';
import { writeAdapter, writeModel, type AdapterMatrix } from '#trainer/files/writeModel.ts';
import type { Transformer } from '#trainer/model/transformer.ts';
import type { ExportedFile } from './measureExport.ts';

export interface WrittenResult {
  readonly model: Extract<TrainerResult['model'], { file: string }>;
  /** What can be served of it: the first is the model itself. */
  readonly files: readonly ExportedFile[];
}

const toMatrices = (model: Transformer): readonly AdapterMatrix[] =>
  [...model.trained.plan.places.values()].map(({ name, rows, columns }) => ({
    name,
    rows,
    columns,
    numbers: model.trainedTensor(name),
  }));

const toName = (job: TrainerJob): string => `ft-${job.base.id}-${job.experiment_id.slice(0, 8)}`;
const STEP_FILE = /^step-(\d+)\.gguf$/;
/** Files of steps that are kept, beside the best one. */
const KEPT = 3;

/** Writes what the weights are now as a file that can be served, and removes older ones but the best. */
export function writeStep(
  model: Transformer,
  base: GgufHeader,
  job: TrainerJob,
  step: number,
  best: number | null,
): WrittenResult['model'] {
  const isAdapter = job.training_type !== 'full' && job.lora !== null;
  const name = `${toName(job)}-step-${step}`;
  const file = join(job.output, `step-${step}.gguf`);
  const bytes =
    isAdapter && job.lora !== null
      ? writeAdapter(name, job.lora, toMatrices(model))
      : writeModel(base, name, 'F16', model.tensor);
  replaceFile(file, [bytes]);
  const steps = readdirSync(job.output)
    .flatMap((entry) => STEP_FILE.exec(entry)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => other - one);
  for (const old of steps.slice(KEPT)) if (old !== best) rmSync(join(job.output, `step-${old}.gguf`), { force: true });
  return { file, kind: isAdapter ? 'adapter' : 'gguf' };
}

/**
 * Writes into the output folder. The served file is F16, which answers as the trainer does; a Q8_0 file of half the size
 * is beside it. An adapter has both files of the merged model beside it.
 */
export function writeResult(model: Transformer, base: GgufHeader, job: TrainerJob): WrittenResult {
  const name = toName(job);
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
  const adapter = write('adapter.F16.gguf', writeAdapter(name, job.lora, toMatrices(model)));
  return {
    model: { file: adapter, kind: 'adapter' },
    files: [
      toFile('adapter', job.base.file ?? '', adapter, true),
      toFile('merged F16', whole, null, false),
      toFile('merged Q8_0', small, null, false),
    ],
  };
}
