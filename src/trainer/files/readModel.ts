// Reads a base model from a GGUF file.
import { readFileSync } from 'node:fs';
import { canTrain, type ModelShape } from '#trainer/shared/canTrain.ts';
import { GgufError, readGgufHeader, type GgufHeader } from '#engine/gguf/ggufHeader.ts';
import { readTensorNumbers } from '#engine/gguf/tensorNumbers.ts';

/** A training that can't begin, or can't go on: why, and what to do. */
export class TrainerError extends Error {
  override readonly name = 'TrainerError';

  constructor(
    reason: string,
    readonly what_to_do: string,
  ) {
    super(reason);
  }
}

export interface ModelSource {
  readonly shape: ModelShape;
  readonly header: GgufHeader;
  /** The numbers of a tensor. */
  read(name: string): Float32Array;
}

/** Reads the file at `path` into memory. Throws TrainerError. */
export function readModel(path: string): ModelSource {
  try {
    const file = new Uint8Array(readFileSync(path));
    const header = readGgufHeader(file);
    const found = canTrain(header);
    if (!found.canTrain) throw new TrainerError(found.reason, found.what_to_do);
    return {
      shape: found.shape,
      header,
      read(name) {
        const tensor = header.tensors.get(name);
        if (tensor === undefined) throw new GgufError(`The GGUF file has no tensor ${name}.`);
        return readTensorNumbers(file, header, tensor);
      },
    };
  } catch (error) {
    if (error instanceof TrainerError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrainerError(`The base model can't be read: ${reason}`, 'Check the file, or choose another base model.');
  }
}
