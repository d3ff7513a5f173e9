// Conversation to prompt text, with the chat template (Jinja) of the model's GGUF file.
import { Template } from '@huggingface/jinja';
import type { ChatMessage, Tool, ToolCall } from '#shared/contract/chatMessage.ts';
import { EngineError } from './engine.ts';
import { openMarkGuard, splitAtCuts, type MarkGuard } from './promptMarks.ts';

/** For a file without a template. Most small models are trained on this form. */
const CHATML = [
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' " +
    "+ '\\n' }}{% endfor %}",
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join('');

/** The data from which another thread can open the same template. `text` null: ChatML. */
export interface TemplateSource {
  readonly text: string | null;
  readonly marks: TemplateMarks;
}

export interface ChatTemplate {
  readonly source: TemplateSource;
  /**
   * The prompt up to the start of the answer, in pieces that must be tokenized one by one: a mark that a message
   * contains is cut between two pieces. `tools` is empty if no tool may be called. Throws EngineError 400.
   */
  render(messages: readonly ChatMessage[], tools: readonly Tool[]): readonly string[];
}

/** What a template needs from the vocabulary. */
export interface TemplateMarks {
  readonly bosText: string;
  readonly eosText: string;
  /** Texts that become single tokens with a special meaning. */
  readonly markTexts: readonly string[];
}

/** Marks within an answer. System messages explain them and assistants write them; they open no turn. */
const ANSWER_MARKS: ReadonlySet<string> = new Set(
  ['tool_call', 'tool_response', 'think'].flatMap((name) => [`<${name}>`, `</${name}>`]),
);

/** Templates expect objects where the wire has JSON text. A text that is not JSON is passed on unchanged. */
function toArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toCallText(call: ToolCall, allMarks: MarkGuard): string {
  const name = allMarks.guard(JSON.stringify(call.function.name));
  return `<tool_call>{"name":${name},"arguments":${allMarks.guard(call.function.arguments) || '{}'}}</tool_call>`;
}

/** How many messages are rendered again to find the one that a template refuses: 16,000 take some 200 ms. */
const MAX_SEARCH = 16_000;

interface Support {
  readonly hasTools: boolean;
  readonly hasCalls: boolean;
  readonly hasDeveloper: boolean;
  readonly hasToolRole: boolean;
  /** Guards against every mark. */
  readonly allMarks: MarkGuard;
  /** Guards against all marks except those within an answer. */
  readonly turnMarks: MarkGuard;
}

/** A message in the form that the template supports. Unsupported parts are written as text. */
function toTemplateMessage(message: ChatMessage, support: Support): Record<string, unknown> {
  const { allMarks, turnMarks } = support;
  const content = (message.role === 'user' || message.role === 'tool' ? allMarks : turnMarks).guard(
    message.content ?? '',
  );
  const nameField = message.name === undefined ? {} : { name: allMarks.guard(message.name) };
  if (message.role === 'developer' && !support.hasDeveloper) return { role: 'system', content, ...nameField };
  if (message.role === 'tool' && !support.hasToolRole) {
    return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>`, ...nameField };
  }
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) {
    return {
      role: message.role,
      content,
      ...nameField,
      ...(message.tool_call_id === undefined ? {} : { tool_call_id: allMarks.guard(message.tool_call_id) }),
    };
  }
  if (!support.hasCalls)
    return {
      role: message.role,
      content: content + calls.map((call) => toCallText(call, allMarks)).join('\n'),
      ...nameField,
    };
  const tool_calls = calls.map(({ id, type, function: called }) => ({
    id: allMarks.guard(id),
    type,
    function: { name: allMarks.guard(called.name), arguments: allMarks.guardValue(toArguments(called.arguments)) },
  }));
  return { role: message.role, content, tool_calls, ...nameField };
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Opens the template of a model; `source` null: ChatML. Throws EngineError 500 if the template can't be read: the file
 * is at fault, not the caller. `searchMs`: time to find the message that the template refuses.
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
      `The model's chat template can't be read: ${toReason(error)}. Export the model with a valid chat template.`,
      500,
      'bad_template',
    );
  }
  const support: Support = {
    hasTools: /\btools\b/.test(text),
    hasCalls: /\btool_calls\b/.test(text),
    hasDeveloper: /['"]developer['"]/.test(text),
    hasToolRole: /['"]tool['"]/.test(text),
    allMarks: openMarkGuard(marks.markTexts),
    turnMarks: openMarkGuard(marks.markTexts.filter((mark) => !ANSWER_MARKS.has(mark))),
  };
  const renderText = (messages: readonly ChatMessage[], tools: readonly Tool[]): string =>
    template.render({
      messages: messages.map((message) => toTemplateMessage(message, support)),
      add_generation_prompt: true,
      bos_token: marks.bosText,
      eos_token: marks.eosText,
      ...(support.hasTools && tools.length > 0 ? { tools: support.turnMarks.guardValue(tools) } : {}),
    });
  const isRefused = (messages: readonly ChatMessage[], tools: readonly Tool[]): boolean => {
    try {
      renderText(messages, tools);
      return false;
    } catch {
      return true;
    }
  };
  /**
   * Finds the message with which rendering begins to fail, by bisection: the messages before `from` are accepted, those
   * up to `to` are not. The work is bounded, so a range may remain if there are thousands of messages.
   */
  const findRefusedMessage = (
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
        return splitAtCuts(renderText(messages, tools));
      } catch (error) {
        const { from, to } = findRefusedMessage(messages, tools);
        const isOne = from === to;
        const where = isOne
          ? `messages[${from}] (role "${messages[from]?.role ?? 'user'}")`
          : `one of messages[${from}] to messages[${to}]`;
        const message =
          `This model's chat template refuses ${where}: ${toReason(error)}. Change the order or the role of the ` +
          'messages.';
        throw new EngineError(message, 400, 'template_error', isOne ? `messages[${from}]` : 'messages');
      }
    },
  };
}
