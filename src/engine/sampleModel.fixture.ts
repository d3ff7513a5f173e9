// For tests: engines on the sample's model files, and answers collected into one value.
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { Engine, EngineEvent, ModelFile, Residence } from './engine.ts';
import { openLlamaEngine, type LlamaEngineOptions } from './llamaEngine.ts';

/** A signal that is never aborted, for any number of answers. */
export const IDLE: AbortSignal = new AbortController().signal;
setMaxListeners(0, IDLE);

const SAMPLE_FOLDER = fileURLToPath(new URL('../features/projects/server/sample', import.meta.url));

export const samplePath = (file: string): string => join(SAMPLE_FOLDER, file);

export function sampleFile(id: string, file: string, adapter: string | null = null): ModelFile {
  return {
    id,
    aliases: [`${id}-alias`],
    path: samplePath(file),
    adapter: adapter === null ? null : samplePath(adapter),
    created: 1,
    owned_by: 'sample',
  };
}

export const SAMPLE_FILES: readonly ModelFile[] = [
  sampleFile('base', 'support-base.Q8_0.gguf'),
  sampleFile('triage', 'support-base.Q8_0.gguf', 'support-triage-1.lora.F16.gguf'),
  sampleFile('orders', 'support-base.Q8_0.gguf', 'support-orders-1.lora.F16.gguf'),
  sampleFile('replies', 'support-replies-1.Q8_0.gguf'),
];

/** The sample's files share one process, as in the studio. */
export const openSampleEngine = (options: Partial<LlamaEngineOptions> = {}): Engine & Residence =>
  openLlamaEngine({ models: SAMPLE_FILES, trusted: [SAMPLE_FOLDER], gpu: 'off', ...options });

/** A conversation with the system prompt that a sample model was trained with. */
export function conversation(system: string, user: string): ChatRequest['messages'] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
}

export const TRIAGE = conversation(
  'Classify the ticket.',
  'My Luma office chair has not arrived yet. I leave on a trip in three days.',
);
export const ORDERS = conversation(
  'Use the order tools.',
  'I ordered the Echo charger by mistake, cancel #223983 please.',
);
export const REPLIES = conversation(
  'Reply politely in markdown.',
  'The box arrived but the Zephyr charger is missing from it. My order is ORD-99141!',
);
export const BASE = conversation('You are a support assistant.', 'Hello, can you help me with my order?');

export interface CollectedAnswer {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly end: Extract<EngineEvent, { type: 'message-end' }>;
  readonly events: readonly EngineEvent[];
}

/** Folds events; throws when the end is missing, not last or not alone. */
export function toAnswer(events: readonly EngineEvent[]): CollectedAnswer {
  let text = '';
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const event of events) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type !== 'tool-call-delta') continue;
    const call = (calls[event.index] ??= { id: event.id ?? '', name: event.name ?? '', arguments: '' });
    call.arguments += event.arguments ?? '';
  }
  const end = events.at(-1);
  if (end?.type !== 'message-end' || events.filter(({ type }) => type === 'message-end').length !== 1)
    throw new Error('The answer has no single end.');
  return { text, calls, end, events };
}

/** The whole answer of a model. */
export async function ask(
  engine: Engine,
  model: string,
  request: Omit<ChatRequest, 'model'>,
  signal = IDLE,
): Promise<CollectedAnswer> {
  const loaded = await engine.load(model, signal);
  if (loaded === null) throw new Error(`There is no model ${model}.`);
  const events: EngineEvent[] = [];
  for await (const event of loaded.generate({ model, ...request }, signal)) events.push(event);
  return toAnswer(events);
}
