// The process that renders rows and counts their tokens: llama.cpp with vocabularies alone, no weights. It ends when a
// template loops, or when llama.cpp crashes.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import { openLlamaRuntime, type LlamaRuntime } from '#engine/llamaRuntime.ts';
import { openVocabulary } from '#engine/vocabulary.ts';
import {
  openModelEyes,
  type Chat,
  type ModelEyes,
  type ModelFacts,
  type RenderedChats,
  type RowTokens,
  type ModelViewOfRow,
} from './renderRow.ts';

/** A GGUF file that says how its model reads rows. */
export interface ViewFile {
  readonly path: string;
  /** Changes when the file does. */
  readonly version: string;
}

export interface CountedRows {
  /** Of the model, in tokens; null: its file does not say. */
  readonly context: number | null;
  readonly rows: readonly RowTokens[];
}

/** `context` null: the model's own. All throw with the reason why the file can't be read. */
export interface ViewProcess {
  /** One row, whole. */
  view(file: ViewFile, row: string, context: number | null): Promise<ModelViewOfRow>;
  count(file: ViewFile, rows: readonly string[], context: number | null): Promise<CountedRows>;
  readFacts(file: ViewFile): Promise<ModelFacts>;
  /** Conversations, opened for an answer. */
  render(file: ViewFile, chats: readonly Chat[]): Promise<RenderedChats>;
}

/** Vocabularies that are kept: some ten megabytes each. */
const MAX_MODELS = 3;

const side = openSide<Question, Reply>();
/** Loaded before the first row, whose time it does not take. */
const runtime: Promise<LlamaRuntime> = openLlamaRuntime('off');
runtime.catch(() => undefined);
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

/** The processor time of reading a large vocabulary counts: a second. */
async function look<Seen>(file: ViewFile, see: (eyes: ModelEyes) => Seen): Promise<Seen> {
  await runtime;
  return side.withinLimit(async () => see(await open(file)));
}

const toRow = (text: string): ChatRow => JSON.parse(text) as ChatRow;

answerAsks<ViewProcess>(
  side,
  {
    view: (file, row, context) => look(file, (eyes) => eyes.see(toRow(row), context)),
    count: (file, rows, context) =>
      look(file, (eyes) => ({ context: eyes.context, rows: rows.map((row) => eyes.count(toRow(row), context)) })),
    readFacts: (file) => look(file, ({ facts }) => facts),
    render: (file, chats) => look(file, (eyes) => eyes.render(chats)),
  },
  Error,
);
