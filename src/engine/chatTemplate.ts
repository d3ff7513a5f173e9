// Conversation to prompt text, with the chat template (Jinja) of the model's GGUF file.
import type { ChatMessage, Tool } from '#core/contract/chatMessage.ts';
import { splitAtCuts } from '#core/templates/promptMarks.ts';
import {
  openTemplateText,
  type TemplateMarks,
  type TemplateSource,
  type TemplateText,
} from '#core/templates/templateText.ts';
import { EngineError } from './engine.ts';

export interface ChatTemplate {
  readonly source: TemplateSource;
  /**
   * The prompt up to the start of the answer, in pieces that must be tokenized one by one: a mark that a message
   * contains is cut between two pieces. `tools` is empty if no tool may be called. Throws EngineError 400.
   */
  render(messages: readonly ChatMessage[], tools: readonly Tool[]): readonly string[];
  /** The same for a conversation that ends with its answer: nothing is opened after it. For training. */
  renderAnswered(messages: readonly ChatMessage[], tools: readonly Tool[]): readonly string[];
}

/** How many messages are rendered again to find the one that a template refuses: 16,000 take some 200 ms. */
const MAX_SEARCH = 16_000;

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
  const { bosText, eosText, markTexts } = marks;
  const kept: TemplateSource = { text: source, marks: { bosText, eosText, markTexts } };
  let template: TemplateText;
  try {
    template = openTemplateText(kept);
  } catch (error) {
    throw new EngineError(
      `The model's chat template can't be read: ${toReason(error)}. Export the model with a valid chat template.`,
      500,
      'bad_template',
    );
  }
  const renderText = (messages: readonly ChatMessage[], tools: readonly Tool[]): string =>
    template.render(messages, tools, true);
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
  return {
    source: kept,
    renderAnswered: (messages, tools) => splitAtCuts(template.render(messages, tools, false)),
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
