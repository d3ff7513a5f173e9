// What `npm start` runs: it starts the service as its child, passes on the wish to end, and ends it by force if it must.
// A service whose one thread is busy hears no signal; this process is never busy. Plain JavaScript, so that it needs no
// loader and costs little beside the service.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Longer than the service gives itself, shorter than the 10 s after which container runtimes kill. */
const END_MS = 8_000;
/** Ctrl-C reaches a process twice at once when a runner passes it on; that is one wish, not two. */
const ECHO_MS = 300;
const PARENT_MS = 250;

const service = fileURLToPath(new URL('./main.ts', import.meta.url));
const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), service, ...process.argv.slice(2)], {
  // Over the last one the service hears what a signal can't say on every system, and that this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

let endsSince = 0;

function end() {
  if (endsSince > 0) return;
  endsSince = performance.now();
  if (child.connected) child.send('end', () => undefined);
  setTimeout(() => {
    process.stderr.write(`The studio did not end within ${END_MS / 1000} s and was ended by force.\n`);
    child.kill('SIGKILL');
  }, END_MS);
}

function onSignal() {
  // Asked again: at once.
  if (endsSince > 0 && performance.now() - endsSince > ECHO_MS) child.kill('SIGKILL');
  end();
}

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
