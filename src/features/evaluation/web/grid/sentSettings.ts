// Everything that a column sends besides the prompt, in one line and in full. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { formatCounted } from '#ui/kit/format.ts';

/** The column's system prompt; empty: none. */
export const systemOf = ({ messages }: ChatRequest): string => messages.map(({ content }) => content ?? '').join('\n');

function toChoiceText(choice: NonNullable<ChatRequest['tool_choice']>): string {
  return `tool choice ${typeof choice === 'string' ? choice : choice.function.name}`;
}

/** Short texts for the settings, without the system prompt. */
export function toSettingParts(request: ChatRequest): readonly string[] {
  const { tools = [], tool_choice, response_format, max_completion_tokens, seed, stop } = request;
  const stops = stop === undefined ? 0 : typeof stop === 'string' ? 1 : stop.length;
  return [
    ...(tools.length > 0 ? [formatCounted(tools.length, 'tool')] : []),
    ...(tool_choice === undefined ? [] : [toChoiceText(tool_choice)]),
    ...SAMPLING_NAMES.flatMap((name) =>
      request[name] == null ? [] : [`${SAMPLING_PARAMETERS[name].label.toLowerCase()} ${request[name]}`],
    ),
    ...(max_completion_tokens == null ? [] : [`max ${max_completion_tokens} tokens`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(stops > 0 ? [formatCounted(stops, 'stop sequence')] : []),
    ...(response_format === undefined ? [] : [`format ${response_format.type}`]),
  ];
}

export const DEFAULT_SENT = 'default settings';

/** "system prompt, 4 tools, temperature 0.2". Without settings the service uses its own defaults. */
export function toSentText(request: ChatRequest): string {
  const parts = [...(systemOf(request).trim() === '' ? [] : ['system prompt']), ...toSettingParts(request)];
  return parts.length === 0 ? DEFAULT_SENT : parts.join(', ');
}

/** The request without its messages, as JSON. */
export function toSentJson({ messages: _messages, ...rest }: ChatRequest): string {
  return JSON.stringify(rest, null, 2);
}
