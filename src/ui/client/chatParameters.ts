// Builds a chat request with only the parameters that are set; the service chooses the others. Pure.
import type { ChatMessage, ResponseFormat, Tool, ToolChoice } from '#core/contract/chatMessage.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { MAX_TOKENS_LIMITS, SEED_LIMITS, type NumberLimit } from '#core/contract/limits.ts';
import { arrayOr, isObject, ownField } from '#core/contract/readJson.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { mapSampling, SAMPLING_PARAMETERS, type SamplingName } from '#core/contract/samplingParameters.ts';

type SamplingSettings = { readonly [Name in SamplingName]?: number | undefined };

/** Parameters that a person can set; absent or undefined means "not sent". */
export interface ChatParameters extends SamplingSettings {
  readonly max_completion_tokens?: number | undefined;
  readonly seed?: number | undefined;
  /** Ask for the probabilities of the answer's tokens. */
  readonly logprobs?: boolean | undefined;
  /** An empty list means "not sent". */
  readonly stop?: readonly string[] | undefined;
  readonly response_format?: ResponseFormat | undefined;
  /** An empty list means "not sent"; tool_choice is sent only with tools. */
  readonly tools?: readonly Tool[] | undefined;
  readonly tool_choice?: ToolChoice | undefined;
}

/** The parameters that are plain values. */
export type PlainParameters = Omit<ChatParameters, 'response_format' | 'tools' | 'tool_choice'>;

export interface ChatInput {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly parameters: ChatParameters;
  /** `local`: `stream_options` asks for usage. A remote studio does not get that field: SPEC 4.3 does not list it. */
  readonly mode?: SessionInfo['mode'] | null;
}

/** The likeliest tokens that are asked for beside each token. Every server that gives any gives so many. */
const TOP_LOGPROBS = 5;

/** Drops undefined fields, so that requests can be compared and shown as they are sent. */
function dropUnset<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries) as T;
}

/** The request as sent, always with `stream: true`. Not validated here: parseChatRequest does that. */
export function toChatRequest({ model, messages, parameters, mode = null }: ChatInput): ChatRequest {
  const { stop, tools, tool_choice, logprobs, ...plain } = parameters;
  const hasTools = tools !== undefined && tools.length > 0;
  return dropUnset<ChatRequest>({
    model,
    messages: messages.map(dropUnset),
    ...plain,
    logprobs: logprobs === true ? true : undefined,
    top_logprobs: logprobs === true ? TOP_LOGPROBS : undefined,
    stop: stop !== undefined && stop.length > 0 ? [...stop] : undefined,
    tools: hasTools ? [...tools] : undefined,
    tool_choice: hasTools ? tool_choice : undefined,
    stream: true,
    stream_options: mode === 'local' ? { include_usage: true } : undefined,
  });
}

const isWithin = (value: unknown, limit: { min: number; max: number }): value is number =>
  typeof value === 'number' && value >= limit.min && value <= limit.max;

const isWholeWithin = (value: unknown, limit: { min: number; max: number }): value is number =>
  Number.isInteger(value) && isWithin(value, limit);

/** Parameters in stored or foreign data that are within the limits; others count as not set. */
export function readParameters(value: unknown): PlainParameters {
  if (!isObject(value)) return {};
  const { max_completion_tokens, seed } = value;
  const stop = arrayOr(value['stop']).filter((entry) => typeof entry === 'string' && entry !== '');
  return dropUnset({
    ...mapSampling((name) => {
      const entry = ownField(value, name);
      const limit: NumberLimit = SAMPLING_PARAMETERS[name];
      return (limit.isInteger === true ? isWholeWithin : isWithin)(entry, limit) ? (entry as number) : undefined;
    }),
    max_completion_tokens: isWholeWithin(max_completion_tokens, MAX_TOKENS_LIMITS) ? max_completion_tokens : undefined,
    seed: isWholeWithin(seed, SEED_LIMITS) ? seed : undefined,
    logprobs: value['logprobs'] === true ? true : undefined,
    stop: stop.length > 0 ? (stop as string[]) : undefined,
  } satisfies Record<keyof PlainParameters, unknown>);
}
