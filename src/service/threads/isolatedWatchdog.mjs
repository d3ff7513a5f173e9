// A thread that ends its process when the service is gone, or when a task takes more processor time than it may: code that
// is not ours may keep the main thread busy, which then hears nothing. Plain JavaScript, so that it starts at once.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { tasks, limitMs, parent, outOfTime } = workerData;
const STEP_MS = 100;
/** Windows keeps the number of a parent that has ended, so there only the processor time counts. */
const hasParent = () => process.platform === 'win32' || process.ppid === parent;
const readCpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let seen = 0;
let begin = 0;
setInterval(() => {
  // An odd number while a task runs.
  const task = Atomics.load(tasks, 0);
  if (task !== seen) {
    seen = task;
    begin = readCpuMs();
  }
  const isTooLong = limitMs !== null && task % 2 === 1 && readCpuMs() - begin > limitMs;
  if (!isTooLong && hasParent()) return;
  try {
    if (isTooLong) writeSync(2, `\n${outOfTime}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, STEP_MS);
