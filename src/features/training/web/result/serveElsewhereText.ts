// How models in memory and commands are written. Pure.
import { formatBytes } from '#core/contract/numberNotation.ts';
import type { ModelRunning } from '#features/training/shared/trainingRecords.ts';
import { toShellWord } from '#features/experiments/shared/configText.ts';

/** A command as a shell takes it. */
export const toCommandText = (command: readonly string[]): string => command.map(toShellWord).join(' ');

/** Where the model runs, one sentence. A remote studio may say only whether it does, and load nothing by itself. */
export function toMemoryText({ status, memory }: Pick<ModelRunning, 'status'> & Partial<ModelRunning>, isLocal = true) {
  if (!status) return isLocal ? 'Not in memory: the next message loads it.' : 'Not in memory.';
  if (memory == null) return 'Ready to answer.';
  const { bytes, layers, gpu_layers: onCard, gpu } = memory;
  const place =
    gpu === null || onCard === 0
      ? 'on the processor'
      : `${onCard === layers ? `all ${layers}` : `${onCard} of ${layers}`} layers on ${gpu}`;
  return `In memory: ${formatBytes(bytes)}, ${place}.`;
}
