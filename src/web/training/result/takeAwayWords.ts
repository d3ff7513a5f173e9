// How sizes of files and of models in memory, and commands are written. Pure.
import type { ModelRunning } from '#shared/contract/training/trainingRecords.ts';
import { toShellWord } from '#shared/training/configText.ts';

/** `1.9 MB`, `420 kB`, `3.2 GB`. */
export function toSizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** A command as a shell takes it. */
export const toCommandText = (command: readonly string[]): string => command.map(toShellWord).join(' ');

/** Where the model runs, one sentence. */
export function toMemoryText({ status, memory }: ModelRunning): string {
  if (!status) return 'Not in memory: the next message loads it.';
  if (memory === null) return 'Ready to answer.';
  const { bytes, layers, gpu_layers: onCard, gpu } = memory;
  const place =
    gpu === null || onCard === 0
      ? 'on the processor'
      : `${onCard === layers ? `all ${layers}` : `${onCard} of ${layers}`} layers on ${gpu}`;
  return `In memory: ${toSizeText(bytes)}, ${place}.`;
}
