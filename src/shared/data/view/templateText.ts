// A chat as text, by the chat template (Jinja) of a base model. Templates are code: run them where they can be ended.
import { Template } from '@huggingface/jinja';
import type { ChatMessage, Tool, ToolCall } from '#shared/contract/chatMessage.ts';
import { openMarkGuard, type MarkGuard } from './promptMarks.ts';

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

/** What a template needs from the vocabulary. */
export interface TemplateMarks {
  readonly bosText: string;
  readonly eosText: string;
  /** Texts that become single tokens with a special meaning. */
  readonly markTexts: readonly string[];
}

/** Marks within an answer. System messages explain them and assistants write them; they open no turn. */
export const ANSWER_MARKS: ReadonlySet<string> = new Set(
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

interface Support {
  readonly hasTools: boolean;
  readonly hasCalls: boolean;
  readonly hasDeveloper: boolean;
  /** Asked only for a chat that has the role: the template is tried, and one that does not end is ended with its chat. */
  readonly hasToolRole: () => boolean;
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
  if (message.role === 'tool' && !support.hasToolRole()) {
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

export interface TemplateText {
  /**
   * The chat as text, with cuts inside the marks that its messages hold (`splitAtCuts`). `opensAnswer`: up to the start
   * of an answer. Throws what the template throws.
   */
  render(messages: readonly ChatMessage[], tools: readonly Tool[], opensAnswer: boolean): string;
}

/** No template knows this role by its name. */
const OTHER_ROLE = 'Vrolev';

/** Whether a template writes the role of a message as it is, whatever it is. */
function printsRoles(template: Template): boolean {
  try {
    const messages = ['user', OTHER_ROLE].map((role) => ({ role, content: 'a' }));
    return template.render({ messages, bos_token: '', eos_token: '' }).includes(OTHER_ROLE);
  } catch {
    // It refuses other roles.
    return false;
  }
}

/** Opens a template. Throws if its text is no template. */
export function openTemplateText({ text, marks }: TemplateSource): TemplateText {
  const source = text ?? CHATML;
  const template = new Template(source);
  let printsTools: boolean | null = null;
  const support: Support = {
    hasTools: /\btools\b/.test(source),
    hasCalls: /\btool_calls\b/.test(source),
    hasDeveloper: /['"]developer['"]/.test(source),
    hasToolRole() {
      // Of the plain template, which models without one get, nobody has trained a role for tools.
      printsTools ??= /['"]tool['"]/.test(source) || (text !== null && printsRoles(template));
      return printsTools;
    },
    allMarks: openMarkGuard(marks.markTexts),
    turnMarks: openMarkGuard(marks.markTexts.filter((mark) => !ANSWER_MARKS.has(mark))),
  };
  return {
    render: (messages, tools, opensAnswer) =>
      template.render({
        messages: messages.map((message) => toTemplateMessage(message, support)),
        add_generation_prompt: opensAnswer,
        bos_token: marks.bosText,
        eos_token: marks.eosText,
        ...(support.hasTools && tools.length > 0 ? { tools: support.turnMarks.guardValue(tools) } : {}),
      }),
  };
}
