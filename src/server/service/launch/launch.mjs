// What `npm start` runs: it starts the service as its child, passes on the wish to end, and ends it by force if it must.
// A service whose one thread is busy hears no signal; this process is never busy. Plain JavaScript, so that it needs no
// loader and costs little beside the service.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { passOnEnd } from './passOnEnd.mjs';

const PARENT_MS = 250;

const service = fileURLToPath(new URL('./main.ts', import.meta.url));
const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), service, ...process.argv.slice(2)], {
  // Over the last one the service hears what a signal can't say on every system, and that this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

const { end, onSignal } = passOnEnd({
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

// npm passes a signal on to its shell, and not every shell passes it on to what it runs. Then the shell is gone, and
// this process has another parent. Windows has no such signals, and names the first parent for ever.
if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_MS);
}
