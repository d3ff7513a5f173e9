// A thread that ends its process when one order takes too much processor time, or when the studio is gone: a template may
// loop for ever, and then the main thread hears nothing. Plain JavaScript, so that it runs at once.
import { workerData } from 'node:worker_threads';

const { orders, limitMs, parent } = workerData;
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
  // An odd number while an order is carried out.
  const order = Atomics.load(orders, 0);
  if (order !== seen) {
    seen = order;
    begin = readCpuMs();
  }
  const isTooLong = order % 2 === 1 && readCpuMs() - begin > limitMs;
  if (isTooLong || !hasParent()) process.kill(process.pid, 'SIGKILL');
}, STEP_MS);
