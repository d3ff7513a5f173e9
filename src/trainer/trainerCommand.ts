// How the built-in trainer is started: a process of its own, which gets the path of a job.json as its last argument.
import { fileURLToPath } from 'node:url';

export function trainerCommand(): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [fileURLToPath(new URL('./trainerStart.mjs', import.meta.url))] };
}
