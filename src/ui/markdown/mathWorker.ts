// Makes formulas in a worker.
import { serveJobs } from '#ui/timing/timedWorker.ts';
import { toMathTree } from './mathTree.ts';

serveJobs(toMathTree);
