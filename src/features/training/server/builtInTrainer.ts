// The trainer that is built in, and what it can train.
import { availableParallelism } from 'node:os';
import { BUILT_IN_REFUSALS } from '#core/contract/trainingSettings.ts';
import { canTrain } from '#trainer/shared/canTrain.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { trainerCommand } from '#trainer/trainerCommand.ts';
import { GgufError } from '#engine/gguf/ggufHeader.ts';
import { oncePerFile, readHeader } from '#engine/gguf/ggufFile.ts';
import type { Trainer } from './trainer.ts';

/** Why it can't train a file; null: it can. */
const findObstacle = oncePerFile(async (file, disk): Promise<string | null> => {
  try {
    const found = canTrain(await readHeader(file, disk));
    return found.canTrain ? null : `${found.reason} ${found.what_to_do}`;
  } catch (error) {
    if (error instanceof Silence) throw error;
    const reason = error instanceof GgufError ? error.message : 'its file can not be read.';
    return `The built-in trainer can't train it: ${reason}`;
  }
});

const NOT_QUANTIZED =
  'The built-in trainer does not quantize base models, so it trains no QLoRA. Take "lora", or start the service, or a ' +
  'worker, with a trainer that can, such as --trainer trl.';

/** `disk`: asks about the files of base models. `threads`: that a run may use. */
export function toBuiltInTrainer(
  disk: Files = nearFiles,
  threads = availableParallelism(),
): Trainer & Required<Pick<Trainer, 'refuse'>> {
  const { command, args } = trainerCommand(threads);
  return {
    name: 'the built-in trainer',
    command: [command, ...args],
    threads,
    refuseType: (type) => (type === 'qlora' ? NOT_QUANTIZED : null),
    refusedSettings: BUILT_IN_REFUSALS,
    canPause: true,
    objectives: ['sft', 'dpo', 'kto'],
    rewardFunctions: [],
    async refuse({ id, file }) {
      if (file === null)
        return (
          `The built-in trainer trains GGUF files of this studio, and ${id} is none of them. Start the service with ` +
          '--trainer CMD, a command that can train it, or with --model to add its file.'
        );
      return findObstacle(file, disk).catch((error: unknown) => {
        if (!(error instanceof Silence)) throw error;
        return `The built-in trainer can't read ${file}: ${error.message}. Check the mount; it can train it when it does.`;
      });
    },
  };
}
