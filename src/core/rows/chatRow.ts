// The normal form of a row: a chat with its tools. All forms of files become it, and everything else reads only it.
import type { Tool, ToolCall } from '#core/contract/chatMessage.ts';
import type { JsonPath } from '#core/contract/jsonPlaces.ts';

export type RowRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface RowMessage {
  readonly role: RowRole;
  /** null only if an assistant calls tools and the file says null. */
  readonly content: string | null;
  readonly name?: string;
  /** Arguments are JSON text as the file has it; it may be broken, which is a finding. */
  readonly tool_calls?: ToolCall[];
  readonly tool_call_id?: string;
  /** What the model thought before its answer, under the name by which chat templates know it. */
  readonly reasoning_content?: string;
  readonly thinking?: string;
  /** Only of an answer: it is not learnt. */
  readonly weight?: 0;
  /** Only of an answer: the parts that are learnt or not. What is in none of them is not. */
  readonly train_detail?: readonly TrainDetail[];
  /** Other marks of the file allow what `weight` forbids. */
  readonly marks_disagree?: true;
}

/** A part of a text. Places count characters (code points) from 0; `end_offset` is the last one. */
export interface TrainDetail {
  readonly begin_offset: number;
  readonly end_offset: number;
  readonly train: boolean;
}

export interface ChatRow {
  /** At least one. */
  readonly messages: readonly RowMessage[];
  /** Absent if the row has none. */
  readonly tools?: readonly Tool[];
  /** Of a pair for DPO, of which `messages` are the prompt: the answer that is preferred, and the other one. */
  readonly chosen?: readonly RowMessage[];
  readonly rejected?: readonly RowMessage[];
  /** Of a row for KTO, of which `messages` are the prompt: an answer, and whether it is wanted. */
  readonly completion?: readonly RowMessage[];
  readonly label?: boolean;
}

/** The names of forms that are recognised without a mapping, in the order in which they are looked for. */
export const FOUND_FORMS = ['preference', 'kto', 'chat', 'sharegpt', 'alpaca', 'prompt-completion', 'gemini'] as const;
/**
 * For who asks for them. `preferred`: rows of `preference` or `kto` as chats with the preferred answer. `mixed`: each row in the
 * form of a conversation that it has.
 */
export const ROW_FORMS = [...FOUND_FORMS, 'preferred', 'mixed'] as const;
export type RowForm = (typeof ROW_FORMS)[number];

/** A part of a row that was read, or what is wrong with it and where it stands in the row. */
export type Part<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly path: JsonPath; readonly reason: string };

export const failPart = (
  path: JsonPath,
  reason: string,
): { readonly ok: false; readonly path: JsonPath; readonly reason: string } => ({ ok: false, path, reason });

/** How many names of fields one row reports. */
const MAX_LEFT_OUT = 20;

/** What a reader notes about a row beside its messages. */
export class RowNotes {
  /** False once the line says anything that the normal form doesn't, or says it otherwise. */
  isSame = true;
  /** The JSON text of the row where paths begin at the row itself: numbers of arguments are copied from it. */
  source: string | null = null;
  private readonly names: string[] = [];

  /** Fields that the normal form has no place for, such as `id` or `messages[].weight`. */
  get leftOut(): readonly string[] {
    return this.names;
  }

  leaveOut(field: string): void {
    this.isSame = false;
    const name = field.slice(0, 100);
    if (this.names.length < MAX_LEFT_OUT && !this.names.includes(name)) this.names.push(name);
  }
}
