// Starts a TypeScript file in a thread or a process of its own: there, Node 20 reads TypeScript only after tsx is registered.
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData?.entry ?? process.argv[2]);
