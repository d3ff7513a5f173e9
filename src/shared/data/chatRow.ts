// The normal form of a row: a chat with its tools. All forms of files become it, and everything else reads only it.
import type { Tool, ToolCall } from '#shared/contract/chatMessage.ts';
import type { JsonPath } from '#shared/contract/jsonPlaces.ts';

export type RowRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface RowMessage {
  readonly role: RowRole;
  /** null only if an assistant calls tools and the file says null. */
  readonly content: string | null;
  readonly name?: string;
  /** Arguments are JSON text as the file has it; it may be broken, which is a finding. */
  readonly tool_calls?: ToolCall[];
  readonly tool_call_id?: string;
  /** Thoughts of an answer, by the names that chat templates read. */
  readonly reasoning_content?: string;
  readonly thinking?: string;
}

export interface ChatRow {
  /** At least one. */
  readonly messages: readonly RowMessage[];
  /** Absent if the row has none. */
  readonly tools?: readonly Tool[];
}

/** The names of forms that are recognised without a mapping. */
export const ROW_FORMS = ['chat', 'sharegpt', 'alpaca', 'prompt-completion'] as const;
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
