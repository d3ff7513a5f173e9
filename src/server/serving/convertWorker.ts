// A thread that converts one adapter and ends: large adapters take seconds, which the service does not have.
import { parentPort, workerData } from 'node:worker_threads';
import { convertAdapter, type ConvertOrder } from './convertAdapter.ts';

parentPort?.postMessage(await convertAdapter(workerData as ConvertOrder), []);
