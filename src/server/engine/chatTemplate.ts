// Conversation to prompt text, by the model's own chat template (Jinja, kept in the GGUF file).
import { Template } from '@huggingface/jinja';
import type { ChatMessage, Tool, ToolCall } from '#shared/contract/chatMessage.ts';
import { EngineError } from './engine.ts';
import { openMarkGuard, splitAtCuts, type MarkGuard } from './promptMarks.ts';

/** Used when the file brings no template; most small models are trained on this form. */
const CHATML = [
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' " +
    "+ '\\n' }}{% endfor %}",
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join('');

/** A template as the model's file has it; null: ChatML. With it, another thread can open the same template. */
export interface TemplateSource {
  readonly text: string | null;
  readonly marks: TemplateMarks;
}

export interface ChatTemplate {
  readonly source: TemplateSource;
  /**
   * The prompt up to where the answer begins, in pieces that are to be made into tokens one by one: where a message
   * has the text of a mark, a cut goes through it. `tools` is empty when none may be called. Throws EngineError 400.
   */
  render(messages: readonly ChatMessage[], tools: readonly Tool[]): readonly string[];
}

/** What a template needs to know of the vocabulary. */
export interface TemplateMarks {
  readonly bosText: string;
  readonly eosText: string;
  /** Texts that become tokens of their own, with a meaning that no text has. */
  readonly markTexts: readonly string[];
}

/** Marks of the format of an answer: systems explain them and assistants write them, but they open no turn. */
const ANSWER_MARKS: ReadonlySet<string> = new Set(
  ['tool_call', 'tool_response', 'think'].flatMap((name) => [`<${name}>`, `</${name}>`]),
);

/** Templates work with objects where the wire has JSON text; a text that is no JSON is passed on as it is. */
function toArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toCallText(call: ToolCall, all: MarkGuard): string {
  const name = all.guard(JSON.stringify(call.function.name));
  return `<tool_call>{"name":${name},"arguments":${all.guard(call.function.arguments) || '{}'}}</tool_call>`;
}

/** Messages that are rendered again to find the one that a template refuses: 16,000 take some 200 ms. */
const MAX_SEARCH = 16_000;

interface Knowledge {
  readonly knowsTools: boolean;
  readonly knowsCalls: boolean;
  readonly knowsDeveloper: boolean;
  readonly knowsToolRole: boolean;
  /** Guards against every mark. */
  readonly all: MarkGuard;
  /** Guards against all but the marks of an answer. */
  readonly turns: MarkGuard;
}

/** A message in the words that the template understands; what it does not know is written as text. */
function toTemplateMessage(message: ChatMessage, knows: Knowledge): Record<string, unknown> {
  const { all, turns } = knows;
  const content = (message.role === 'user' || message.role === 'tool' ? all : turns).guard(message.content ?? '');
  const named = message.name === undefined ? {} : { name: all.guard(message.name) };
  if (message.role === 'developer' && !knows.knowsDeveloper) return { role: 'system', content, ...named };
  if (message.role === 'tool' && !knows.knowsToolRole) {
    return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>`, ...named };
  }
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) {
    return {
      role: message.role,
      content,
      ...named,
      ...(message.tool_call_id === undefined ? {} : { tool_call_id: all.guard(message.tool_call_id) }),
    };
  }
  if (!knows.knowsCalls)
    return { role: message.role, content: content + calls.map((call) => toCallText(call, all)).join('\n'), ...named };
  const tool_calls = calls.map(({ id, type, function: called }) => ({
    id: all.guard(id),
    type,
    function: { name: all.guard(called.name), arguments: all.guardValue(toArguments(called.arguments)) },
  }));
  return { role: message.role, content, tool_calls, ...named };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Opens the template of a model; `source` null: ChatML. Throws EngineError 500 when the template can't be read:
 * that is the file's fault, not the caller's. `searchMs`: time to find the message that the template refuses.
 */
export function openChatTemplate(
  source: string | null,
  marks: TemplateMarks,
  searchMs = Number.POSITIVE_INFINITY,
): ChatTemplate {
  const text = source ?? CHATML;
  let template: Template;
  try {
    template = new Template(text);
  } catch (error) {
    throw new EngineError(
      `The model's chat template can't be read: ${reasonOf(error)}. Export the model with a valid chat template.`,
      500,
      'bad_template',
    );
  }
  const knows: Knowledge = {
    knowsTools: /\btools\b/.test(text),
    knowsCalls: /\btool_calls\b/.test(text),
    knowsDeveloper: /['"]developer['"]/.test(text),
    knowsToolRole: /['"]tool['"]/.test(text),
    all: openMarkGuard(marks.markTexts),
    turns: openMarkGuard(marks.markTexts.filter((mark) => !ANSWER_MARKS.has(mark))),
  };
  const attempt = (messages: readonly ChatMessage[], tools: readonly Tool[]): string =>
    template.render({
      messages: messages.map((message) => toTemplateMessage(message, knows)),
      add_generation_prompt: true,
      bos_token: marks.bosText,
      eos_token: marks.eosText,
      ...(knows.knowsTools && tools.length > 0 ? { tools: knows.turns.guardValue(tools) } : {}),
    });
  const isRefused = (messages: readonly ChatMessage[], tools: readonly Tool[]): boolean => {
    try {
      attempt(messages, tools);
      return false;
    } catch {
      return true;
    }
  };
  /**
   * The message with which rendering begins to fail, narrowed down by halves: the messages before `from` are accepted,
   * those up to `to` are not. The work is bounded, so with thousands of messages a range may remain.
   */
  const findCulprit = (
    messages: readonly ChatMessage[],
    tools: readonly Tool[],
  ): { readonly from: number; readonly to: number } => {
    let from = 0;
    let to = messages.length;
    const deadline = performance.now() + searchMs;
    for (let work = 0; to - from > 1 && performance.now() < deadline;) {
      const middle = Math.ceil((from + to) / 2);
      work += middle;
      if (work > MAX_SEARCH) break;
      if (isRefused(messages.slice(0, middle), tools)) to = middle;
      else from = middle;
    }
    return { from, to: to - 1 };
  };
  const { bosText, eosText, markTexts } = marks;
  return {
    source: { text: source, marks: { bosText, eosText, markTexts } },
    render(messages, tools) {
      try {
        return splitAtCuts(attempt(messages, tools));
      } catch (error) {
        const { from, to } = findCulprit(messages, tools);
        const isOne = from === to;
        const where = isOne
          ? `messages[${from}] (role "${messages[from]?.role ?? 'user'}")`
          : `one of messages[${from}] to messages[${to}]`;
        const message =
          `This model's chat template refuses ${where}: ${reasonOf(error)}. Change the order or the role of the ` +
          'messages.';
        throw new EngineError(message, 400, 'template_error', isOne ? `messages[${from}]` : 'messages');
      }
    },
  };
}
