// The process that renders rows and counts their tokens. It has llama.cpp with vocabularies alone, no weights, and no
// secrets of the studio. A template may loop: the thread of viewWatch.mjs then ends the process.
import { Worker } from 'node:worker_threads';
import type { ChatRow } from '#shared/data/chatRow.ts';
import { openLlamaRuntime, type LlamaRuntime } from '#server/engine/llamaRuntime.ts';
import { openVocabulary } from '#server/engine/vocabulary.ts';
import { openModelEyes, type ModelEyes } from './modelEyes.ts';
import type { ViewFile, ViewOrder, ViewReply } from './viewMessages.ts';

/** Vocabularies that are kept: some ten megabytes each. */
const MAX_MODELS = 3;
/** Processor time of one order. Reading a large vocabulary takes a second. */
const LIMIT_MS = Number(process.argv[2]);

const orders = new Int32Array(new SharedArrayBuffer(4));
const watch = new Worker(new URL('./viewWatch.mjs', import.meta.url), {
  workerData: { orders, limitMs: LIMIT_MS, parent: process.ppid },
  execArgv: [],
});
watch.unref();

/** Loaded before the first order, whose time it does not take. */
const runtime: Promise<LlamaRuntime> = openLlamaRuntime('off');
const models = new Map<string, { readonly eyes: ModelEyes; readonly close: () => Promise<void> }>();

async function open({ path, version }: ViewFile): Promise<ModelEyes> {
  const key = `${path} ${version}`;
  const known = models.get(key);
  if (known) return known.eyes;
  const { llama } = await runtime;
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true, ignoreMemorySafetyChecks: true });
  const eyes = openModelEyes(model, openVocabulary(model));
  models.set(key, { eyes, close: () => model.dispose() });
  const [oldest] = models.keys();
  if (models.size > MAX_MODELS && oldest !== undefined) {
    await models.get(oldest)?.close();
    models.delete(oldest);
  }
  return eyes;
}

async function carryOut(order: ViewOrder): Promise<ViewReply> {
  const { file, context } = order;
  let eyes: ModelEyes;
  try {
    eyes = await open(file);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
  const read = (text: string): ChatRow => JSON.parse(text) as ChatRow;
  if (order.kind === 'view') return { kind: 'seen', view: eyes.see(read(order.row), context) };
  const rows = order.rows.map((row) => eyes.count(read(row), context));
  return { kind: 'counted', counted: { context: eyes.context, rows } };
}

const send = (reply: ViewReply): void => void process.send?.(reply);

async function answer(order: ViewOrder): Promise<void> {
  Atomics.add(orders, 0, 1);
  const reply = await carryOut(order).catch((error: unknown): ViewReply => ({ kind: 'failed', reason: String(error) }));
  Atomics.add(orders, 0, 1);
  send(reply);
}

process.on('message', (order: ViewOrder) => void answer(order));
process.on('disconnect', () => process.exit(0));
await runtime.catch(() => null);
send({ kind: 'ready' });
