// What a node runs for one run: a worker that trains it and ends.
import type { LaunchOrder } from './launcher.ts';

export interface NodeSettings {
  /** Words that start Model Studio on a node. */
  readonly worker: readonly string[];
  /** The command of --trainer there; null: the built-in one. */
  readonly trainer: string | null;
}

/** `token`: the flag that gives the worker its token. `dataDir`: a folder of the node. */
export const toNodeCommand = (
  { worker, trainer }: NodeSettings,
  { experimentId, studio }: Pick<LaunchOrder, 'experimentId' | 'studio'>,
  token: readonly [flag: '--token-file' | '--claim', value: string],
  dataDir: string,
): string[] => [
  ...worker,
  'worker',
  '--studio',
  studio,
  ...token,
  '--run',
  experimentId,
  '--data',
  dataDir,
  ...(trainer === null ? [] : ['--trainer', trainer]),
];

/** A word as a POSIX shell reads it back. */
export const quote = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
