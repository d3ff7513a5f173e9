#!/usr/bin/env node
// `npm start` and `model-studio` run this: it starts the service as its child, forwards shutdown requests, and kills it if need be.
// A service with a busy main thread can't handle signals; this process is never busy. Plain JavaScript, so that it
// needs no loader and little memory.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forwardShutdown } from './forwardShutdown.mjs';

const PARENT_MS = 250;

/** The service's TypeScript, which Node 20 reads with tsx alone; an installed package holds JavaScript. */
function findService() {
  const packaged = fileURLToPath(new URL('./main.mjs', import.meta.url));
  if (existsSync(packaged)) return [packaged];
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('./main.ts', import.meta.url))];
}

const child = spawn(process.execPath, [...findService(), ...process.argv.slice(2)], {
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
