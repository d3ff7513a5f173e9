// Asks the files of a trained model what the trainer was asked, through llama.cpp as the service does, and compares.
import { setMaxListeners } from 'node:events';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { chatMessageSchema, toolSchema, type ChatMessage, type Tool } from '#core/contract/chatMessage.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toPreferred } from '#core/rows/preferenceRows.ts';
import { compareExport } from '#trainer/shared/exportParity.ts';
import { Answer } from '#engine/answer.ts';
import type { ChatTemplate } from '#engine/chatTemplate.ts';
import type { EngineEvent, LoadedModel } from '#engine/engine.ts';
import { openLlamaEngine } from '#engine/llamaEngine.ts';
import type { Tokenizer } from '#trainer/text/tokenizer.ts';
import type { Crew } from '#trainer/threads/crew.ts';
import { answerGreedily } from '#trainer/training/greedy.ts';

/** Validation prompts that are asked. */
const ASKED = 50;
/** Tokens of an answer, before and after. */
const MOST = 256;

export interface ExportedFile {
  /** Such as `F16`. */
  readonly format: string;
  readonly path: string;
  readonly adapter: string | null;
  readonly isServed: boolean;
}

export interface AskedModel {
  readonly crew: Crew;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  /** Tokens of the longest row that the model in memory can read, and of one pass. */
  readonly maxRow: number;
  readonly maxTokens: number;
  readonly pause: () => Promise<void>;
}

const rowSchema = z.object({
  messages: z.array(chatMessageSchema),
  tools: z.optional(z.nullable(z.array(toolSchema))),
});

interface Asked {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly tokens: readonly number[];
  readonly most: number;
  readonly expected: string;
}

/** The text of an answer as it is compared: calls of tools in one form, whichever way they came. */
function toText(events: readonly EngineEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') text += event.text;
    if (event.type !== 'tool-call-delta') continue;
    if (event.name !== undefined) text += `\n<tool_call> ${event.name} `;
    text += event.arguments ?? '';
  }
  return text.trim();
}

/** The trainer's text goes the way of the service's answers: calls and thoughts are found in it. */
function toServedText(text: string, tools: readonly Tool[]): string {
  const answer = new Answer({ decoder: { push: () => text }, stop: undefined, tools, startsInReasoning: false });
  return toText([...answer.push(0), ...answer.flush()]);
}

/** The first rows of JSONL text that end with an answer and fit. */
function readAsked(text: string, { template, tokenizer, maxRow }: AskedModel): readonly Asked[] {
  const asked: Asked[] = [];
  for (const line of text.split('\n')) {
    if (asked.length === ASKED) break;
    if (line.trim() === '') continue;
    try {
      const row = rowSchema.parse(toPreferred(JSON.parse(line) as ChatRow));
      const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
      if (last < 1) continue;
      const messages = row.messages.slice(0, last);
      const tools = row.tools ?? [];
      const prompt = template.render(messages, tools);
      const tokens = tokenizer.encode(prompt);
      const most = Math.min(MOST, maxRow - tokens.length - 1);
      if (most < 1) continue;
      const whole = template.renderAnswered(row.messages.slice(0, last + 1), tools).join('');
      const opened = prompt.join('');
      if (!whole.startsWith(opened)) continue;
      const expected = whole.slice(opened.length).split(tokenizer.endText)[0] ?? '';
      asked.push({ messages, tools, tokens, most, expected });
    } catch {
      // Rows that can't be read were counted when the run began.
    }
  }
  return asked;
}

async function answer(loaded: LoadedModel, { messages, tools, most }: Asked, signal: AbortSignal): Promise<string> {
  const events: EngineEvent[] = [];
  const request = {
    model: loaded.id,
    messages: [...messages],
    ...(tools.length > 0 && { tools: [...tools] }),
    temperature: 0,
    max_completion_tokens: most,
  };
  for await (const event of loaded.generate(request, signal)) events.push(event);
  return toText(events);
}

/** null: no validation row can be asked. `heldOut`: JSONL text. Throws EngineError for a file that llama.cpp can't read. */
export async function measureExport(
  asked: AskedModel,
  heldOut: string,
  files: readonly ExportedFile[],
): Promise<ExportParity | null> {
  const { crew, tokenizer, maxTokens, pause } = asked;
  const prompts = readAsked(heldOut, asked);
  if (prompts.length === 0) return null;
  const found = await answerGreedily(
    crew,
    prompts.map(({ tokens, most, expected }) => ({
      prompt: tokens,
      most,
      draft: [...tokenizer.encode([expected], true), tokenizer.end],
    })),
    { end: tokenizer.end, maxTokens, pause },
  );
  const own = prompts.map(({ tools }, index) => toServedText(tokenizer.decode(found[index] ?? []), tools));
  const engine = openLlamaEngine({
    models: files.map(({ format, path, adapter }) => ({
      id: format,
      aliases: [],
      path,
      adapter,
      created: 0,
      owned_by: 'trainer',
    })),
    threads: 1,
    gpu: 'off',
    // All of them were just written, so they share a process.
    trusted: files.map(({ path }) => dirname(path)),
  });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  try {
    const formats: { format: string; isServed: boolean; answers: string[] }[] = [];
    for (const { format, isServed } of files) {
      const loaded = await engine.load(format, signal);
      if (loaded === null) continue;
      const answers: string[] = [];
      for (const prompt of prompts) answers.push(await answer(loaded, prompt, signal));
      formats.push({ format, isServed, answers });
    }
    const texts = {
      prompts: prompts.map(({ messages }) => messages.at(-1)?.content ?? ''),
      expected: prompts.map(({ expected, tools }) => toServedText(expected, tools)),
      answers: own,
    };
    return compareExport(texts, formats);
  } finally {
    await engine.close();
  }
}
