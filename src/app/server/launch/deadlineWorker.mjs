// A thread that ends the whole process when the time is up: the main thread may be too busy for its timers.
// Plain JavaScript, so that it runs at once.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { data: limitMs } = workerData;
setTimeout(() => {
  try {
    writeSync(2, `The studio did not end within ${limitMs / 1000} s and was ended by force.\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, limitMs);
