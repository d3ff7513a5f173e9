// What the sample's models are measured by on validation rows and on prompts that people wrote.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { AskedPrompt, SampleModel } from './askModel.ts';
import { toCall } from './orderRows.ts';
import { findReplyKind, REPLY_KINDS } from './replyRows.ts';
import { DATASET, type DatasetName } from './rows.ts';

const ORDER_ID = /ORD-\d+|SO\d+|#\d+/g;

const rowSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

const toHeldOutRows = (lines: string): readonly AskedPrompt[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [system, user, answer] = rowSchema.parse(JSON.parse(line)).messages;
      return { system: system?.content ?? '', prompt: user?.content ?? '', draft: answer?.content ?? '' };
    });

/** Text in markdown that has no open mark, and ends as a sentence does. */
const isWellFormed = (answer: string): boolean => answer.split('**').length % 2 === 1 && /[.!?]$/.test(answer.trim());

const toShare = (answers: readonly boolean[]): number =>
  Number((answers.filter(Boolean).length / answers.length).toFixed(3));

/** As runs.json has them. `rows` are those that were measured. */
export async function measureOnRows(
  model: SampleModel,
  dataset: DatasetName,
  lines: string,
): Promise<Readonly<Record<string, number>>> {
  const rows = toHeldOutRows(lines);
  const result = await model.measure(lines);
  const measures = {
    rows: rows.length,
    exact_match: Number((result?.exactMatch ?? 0).toFixed(3)),
    validation_loss: Number((result?.loss ?? 0).toFixed(4)),
  };
  if (dataset === 'triage') return measures;
  const answers = await model.answer(rows);
  const copied = rows.flatMap(({ draft }, index) => {
    const [id] = draft.match(ORDER_ID) ?? [];
    return id === undefined ? [] : [answers[index]?.includes(id) === true];
  });
  const id_copied = toShare(copied);
  return dataset === 'orders'
    ? { ...measures, id_copied }
    : { ...measures, id_copied, well_formed: toShare(answers.map(isWellFormed)) };
}

/** Written by hand before any phrase of the rows was, and read here alone: nothing is trained on it. */
const HAND_WRITTEN = fileURLToPath(new URL('handWritten.jsonl', import.meta.url));

const handWrittenSchema = z.discriminatedUnion('task', [
  z.object({ task: z.literal('triage'), prompt: z.string(), expected: z.record(z.string(), z.string()) }),
  z.object({
    task: z.literal('orders'),
    prompt: z.string(),
    expected: z.object({
      name: z.enum(['get_order_status', 'cancel_order', 'request_refund', 'change_address']),
      arguments: z.object({ order_id: z.string(), city: z.optional(z.string()) }),
    }),
  }),
  z.object({
    task: z.literal('replies'),
    prompt: z.string(),
    expected: z.object({ kind: z.string(), says: z.array(z.string()) }),
  }),
]);
export type HandWritten = z.infer<typeof handWrittenSchema>;

export function readHandWritten(): readonly HandWritten[] {
  if (!existsSync(HAND_WRITTEN)) return [];
  const lines = readFileSync(HAND_WRITTEN, 'utf8').trim().split('\n');
  return lines.map((line) => handWrittenSchema.parse(JSON.parse(line)));
}

/** The right answer; of a reply, which may be said in many ways, one that is long enough. */
function toDraft({ task, expected }: HandWritten): string {
  if (task === 'triage') return JSON.stringify(expected);
  if (task === 'orders') return toCall(expected.name, expected.arguments.order_id, expected.arguments.city ?? '');
  const [text = ''] = REPLY_KINDS.steps.answers;
  return `${text}\n\n${expected.says.join(' ')}`;
}

/** A reply is free text: it must be of the right kind, and name the product and the order. */
export function isHandWrittenRight(entry: HandWritten, answer: string): boolean {
  if (entry.task !== 'replies') return answer === toDraft(entry);
  const { kind, says } = entry.expected;
  return isWellFormed(answer) && findReplyKind(answer) === kind && says.every((text) => answer.includes(text));
}

export interface HandWrittenResult {
  readonly right: number;
  readonly count: number;
}

/** Asks the first `most` of them. Tells how many, not which: who writes phrases must not be led by them. */
export async function measureHandWritten(
  model: SampleModel,
  dataset: DatasetName,
  most: number,
): Promise<HandWrittenResult> {
  const own = readHandWritten()
    .filter(({ task }) => task === dataset)
    .slice(0, most);
  const { system } = DATASET[dataset];
  const answers = await model.answer(own.map((entry) => ({ system, prompt: entry.prompt, draft: toDraft(entry) })));
  return {
    right: own.filter((entry, index) => isHandWrittenRight(entry, answers[index] ?? '')).length,
    count: own.length,
  };
}
