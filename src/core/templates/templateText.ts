// A chat as text, by the chat template (Jinja) of a base model: what transformers renders. Templates are code: run them
// where they can be ended.
import type { Tool } from '#core/contract/chatMessage.ts';
import { parseJson } from '#core/jinja/json.ts';
import { openTemplate, toPython } from '#core/jinja/template.ts';
import { Dict, type Value } from '#core/jinja/values.ts';
import { openMarkGuard, type MarkGuard } from './promptMarks.ts';

/** For a file without a template, and in the studio's own models. Most small models are trained on this form. */
export const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/** The data from which another thread can open the same template. `text` null: ChatML. */
export interface TemplateSource {
  readonly text: string | null;
  readonly marks: TemplateMarks;
}

/** What a template needs from the vocabulary. */
export interface TemplateMarks {
  readonly bosText: string;
  readonly eosText: string;
  /** Of unknown characters and of padding; absent: it has none. */
  readonly unkText?: string;
  readonly padText?: string;
  /** Texts that become single tokens with a special meaning. */
  readonly markTexts: readonly string[];
}

/** Marks within an answer. System messages explain them and assistants write them; they open no turn. */
export const ANSWER_MARKS: ReadonlySet<string> = new Set(
  ['tool_call', 'tool_response', 'think'].flatMap((name) => [`<${name}>`, `</${name}>`]),
);

/** A message as a row or a request has it, with any fields. Arguments of calls are objects, or JSON text. */
export interface TemplateMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

interface Guards {
  /** Guards against every mark. */
  readonly all: MarkGuard;
  /** Guards against all marks except those within an answer. */
  readonly turns: MarkGuard;
}

/** A JSON value as Python has it, with its texts and keys guarded. */
function toGuarded(value: unknown, guard: MarkGuard): Value {
  return toPython(guard.guardValue(value));
}

/** Guards a value of `parseJson`, which keeps 1.0 apart from 1. */
function guardPython(value: Value, guard: MarkGuard): Value {
  if (typeof value === 'string') return guard.guard(value);
  if (Array.isArray(value)) return value.map((item) => guardPython(item, guard));
  if (!(value instanceof Dict)) return value;
  const dict = new Dict();
  for (const [key, item] of value.entries()) dict.set(guardPython(key, guard), guardPython(item, guard));
  return dict;
}

/** Templates expect objects where the wire has JSON text. A text that is not JSON is passed on unchanged. */
function toArguments(value: unknown, guard: MarkGuard): Value {
  if (typeof value !== 'string') return toGuarded(value, guard);
  try {
    return guardPython(parseJson(value), guard);
  } catch {
    return guard.guard(value);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object in the order of its fields; those without a value are left out. */
function toDict(value: object, toField: (name: string, field: unknown) => Value): Dict {
  const dict = new Dict();
  for (const [name, field] of Object.entries(value)) if (field !== undefined) dict.set(name, toField(name, field));
  return dict;
}

function toCall(call: unknown, guard: MarkGuard): Value {
  if (!isRecord(call)) return toGuarded(call, guard);
  const toField = (name: string, field: unknown): Value => {
    if (name === 'arguments') return toArguments(field, guard);
    return name === 'function' && isRecord(field) ? toDict(field, toField) : toGuarded(field, guard);
  };
  return toDict(call, toField);
}

/** The message as transformers passes it. */
function toTemplateMessage(message: TemplateMessage, { all, turns }: Guards): Dict {
  const isOfModel = message.role !== 'user' && message.role !== 'tool';
  return toDict(message, (name, field) => {
    if (name === 'tool_calls' && Array.isArray(field)) return field.map((call) => toCall(call, all));
    return toGuarded(field, isOfModel && name !== 'name' && name !== 'tool_call_id' ? turns : all);
  });
}

/** For a template that knows neither calls nor other roles than three: what it does not know is written as text. */
function toPlainMessage(message: TemplateMessage): TemplateMessage {
  const content = typeof message.content === 'string' ? message.content : '';
  if (message.role === 'developer') return { role: 'system', content };
  if (message.role === 'tool') return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
  return { role: message.role, content };
}

/** The calls of a message in tags, as models learn them whose template has no place for calls. */
function toCallTexts({ tool_calls: calls }: TemplateMessage, guard: MarkGuard): string {
  if (!Array.isArray(calls)) return '';
  const texts = calls.flatMap((call: unknown) => {
    const called = isRecord(call) ? call['function'] : null;
    if (!isRecord(called)) return [];
    const { name, arguments: given } = called;
    const args = typeof given === 'string' ? given : JSON.stringify(given);
    return [
      `<tool_call>{"name":${guard.guard(JSON.stringify(name))},"arguments":${guard.guard(args) || '{}'}}</tool_call>`,
    ];
  });
  return texts.join('\n');
}

function toChatMlMessage(message: TemplateMessage, guards: Guards): Dict {
  const { all, turns } = guards;
  const plain = toPlainMessage(message);
  const isOfModel = plain.role !== 'user';
  const text = (isOfModel ? turns : all).guard(String(plain.content)) + toCallTexts(message, all);
  return toDict({ role: plain.role, content: text }, (_name, field) => String(field));
}

export interface TemplateText {
  /**
   * The chat as text, with cuts inside the marks that its messages hold (`splitAtCuts`). `opensAnswer`: up to the start
   * of an answer. Throws what the template throws.
   */
  render(messages: readonly TemplateMessage[], tools: readonly Tool[], opensAnswer: boolean): string;
}

/**
 * Opens a template. Throws TemplateError if its text is no template. `now`: for templates that write the date, in local
 * time.
 */
export function openTemplateText({ text, marks }: TemplateSource, now = (): Date => new Date()): TemplateText {
  const source = text ?? CHATML;
  const template = openTemplate(source);
  const guards: Guards = {
    all: openMarkGuard(marks.markTexts),
    turns: openMarkGuard(marks.markTexts.filter((mark) => !ANSWER_MARKS.has(mark))),
  };
  const toMessage = source === CHATML ? toChatMlMessage : toTemplateMessage;
  // transformers passes the special tokens that a tokenizer has, and no others.
  const tokens = [
    ['bos_token', marks.bosText],
    ['eos_token', marks.eosText],
    ['unk_token', marks.unkText],
    ['pad_token', marks.padText],
  ] as const;
  const special = tokens.flatMap(([name, token]) =>
    token === undefined || token === '' ? [] : [[name, token] as const],
  );
  return {
    render: (messages, tools, opensAnswer) =>
      template.render(
        new Map<string, Value>([
          ...special,
          ['messages', messages.map((message) => toMessage(message, guards))],
          ['tools', tools.length > 0 ? toGuarded(tools, guards.turns) : null],
          ['documents', null],
          ['add_generation_prompt', opensAnswer],
        ]),
        now,
      ),
  };
}
