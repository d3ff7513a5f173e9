// How the built-in trainer is started: a process of its own, which gets the path of a job.json as its last argument.
import { fileURLToPath } from 'node:url';

const THREADS = '--threads=';

/** `threads`: that a run may use. */
export const trainerCommand = (threads: number): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('./trainerStart.mjs', import.meta.url)), `${THREADS}${threads}`],
});

/** What the command says; one if it says nothing. */
export const readThreads = (argv: readonly string[]): number =>
  Number(argv.find((word) => word.startsWith(THREADS))?.slice(THREADS.length) ?? 1);
