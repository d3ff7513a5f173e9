// How sizes of files and commands are written. Pure.
import { toShellWord } from '#shared/training/configText.ts';

/** `1.9 MB`, `420 kB`, `3.2 GB`. */
export function toSizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** A command as a shell takes it. */
export const toCommandText = (command: readonly string[]): string => command.map(toShellWord).join(' ');
