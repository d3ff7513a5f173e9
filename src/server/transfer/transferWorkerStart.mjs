// Starts transferWorker.ts: in a worker of Node 20, tsx reads TypeScript only when it is registered there.
import { register } from 'tsx/esm/api';

register();
await import('./transferWorker.ts');
