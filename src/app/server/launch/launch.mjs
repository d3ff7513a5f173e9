#!/usr/bin/env node
// `npm start` and `model-studio` run this: it starts the service as its child, forwards shutdown requests, and kills it if need be.
// A service with a busy main thread can't handle signals; this process is never busy. Plain JavaScript, so that it
// needs no loader and little memory.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forwardShutdown } from './forwardShutdown.mjs';

const PARENT_MS = 250;

/**
 * glibc keeps what V8's compilers give back, so that an idle service holds 80 MB more. These give blocks of 32 KB and more
 * back at once, but never let V8 run out of the 65,530 mappings of a process.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_MMAP_MAX_: '16384',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** The service's environment (src/service/threads/childEnvironment.ts). A person's own settings stay as they are. */
function toEnvironment() {
  const names = Object.keys(MALLOC);
  if (names.some((name) => name in process.env)) return process.env;
  return { ...process.env, ...MALLOC, STUDIO_MALLOC: names.join(' ') };
}

/** An installed package holds the service as JavaScript; of a checkout it is built. */
async function findCode(args) {
  const packaged = fileURLToPath(new URL('./main.mjs', import.meta.url));
  if (existsSync(packaged)) return [packaged];
  const { findService } = await import('./findService.mjs');
  return findService(args);
}

const args = process.argv.slice(2);
const child = spawn(process.execPath, [...(await findCode(args)), ...args], {
  env: toEnvironment(),
  // The ipc channel carries the shutdown request on systems without signals, and closes when this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

const { end, onSignal } = forwardShutdown({
  child,
  now: () => performance.now(),
  later: setTimeout,
  report: (line) => process.stderr.write(`${line}\n`),
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, onSignal);

child.on('exit', (code) => process.exit(code ?? 1));
child.on('error', (error) => {
  process.stderr.write(`The studio could not be started: ${error.message}\n`);
  process.exit(1);
});

// npm forwards a signal to its shell, but not every shell forwards it to its child. Then the shell ends, and this
// process gets another parent. Windows has no such signals and keeps the first parent's id.
if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_MS);
}
