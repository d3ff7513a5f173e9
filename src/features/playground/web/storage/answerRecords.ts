// Parses conversation turns from stored or foreign data, which it doesn't trust. Pure.
import { arrayOr, isObject, numberOr, ownField, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
import {
  EMPTY_TIMING,
  type Answer,
  type AnswerFailure,
  type AnswerPhase,
  type AnswerTurn,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { readParameters } from '#ui/client/chatParameters.ts';
import {
  patchSettings,
  SETTING_NAMES,
  type FormatType,
  type OwnSettings,
  type SchemaSetting,
  type SettingName,
  type Settings,
} from '#features/playground/web/desk/settings.ts';

// Parses settings from stored or foreign data, which it doesn't trust. Pure.

const FORMATS: readonly string[] = ['text', 'json_object', 'json_schema'] satisfies readonly FormatType[];

function readSchema(value: unknown): SchemaSetting | undefined {
  if (!isObject(value) || typeof value['text'] !== 'string') return undefined;
  return {
    name: textOr(value['name'], ''),
    text: value['text'],
    strict: value['strict'] !== false,
    ...(value['check'] === true ? { check: true } : {}),
  };
}

/** Reads settings; invalid values count as unset. */
export function readSettings(value: unknown): Settings {
  if (!isObject(value)) return {};
  const text = (name: SettingName): string | undefined => textOr(ownField(value, name), undefined);
  const format = text('response_format');
  return patchSettings(readParameters(value), {
    systemPrompt: text('systemPrompt'),
    tools: text('tools'),
    tool_choice: text('tool_choice'),
    response_format: format !== undefined && FORMATS.includes(format) ? (format as FormatType) : undefined,
    schema: readSchema(ownField(value, 'schema')),
  });
}

/** Reads a pane's own settings; a setting with an invalid value is linked again. */
export function readOwnSettings(value: unknown): OwnSettings {
  if (!isObject(value)) return {};
  const source: JsonObject = value;
  const read = readSettings(source);
  const isNull = (name: SettingName): boolean => ownField(source, name) === null;
  const values = SETTING_NAMES.map((name) => [name, isNull(name) ? null : read[name]] as const);
  return Object.fromEntries(values.filter(([, entry]) => entry !== undefined));
}

const PHASES: ReadonlySet<string> = new Set<AnswerPhase>([
  'queued',
  'sending',
  'streaming',
  'done',
  'stopped',
  'failed',
  'interrupted',
]);
const STATES: ReadonlySet<string> = new Set<AssistantMessage['state']>(['open', 'complete', 'failed', 'interrupted']);

const isPhase = (value: string): value is AnswerPhase => PHASES.has(value);
const isState = (value: string): value is AssistantMessage['state'] => STATES.has(value);

function parseUsage(value: unknown): AssistantMessage['usage'] {
  if (!isObject(value)) return null;
  const count = (name: string): number | null => numberOr(ownField(value, name), null);
  return {
    completion_tokens: count('completion_tokens'),
    prompt_tokens: count('prompt_tokens'),
    total_tokens: count('total_tokens'),
  };
}

function parseMessage(value: unknown): AssistantMessage {
  if (!isObject(value)) return EMPTY_MESSAGE;
  const toolCalls = arrayOr(value['toolCalls'])
    .filter(isObject)
    .map((call) => ({
      id: textOr(call['id'], ''),
      name: textOr(call['name'], ''),
      arguments: textOr(call['arguments'], ''),
    }));
  const state = textOr(value['state'], '');
  return {
    id: textOr(value['id'], null),
    model: textOr(value['model'], null),
    fingerprint: textOr(value['fingerprint'], null),
    created: numberOr(value['created'], null),
    text: textOr(value['text'], ''),
    reasoning: textOr(value['reasoning'], ''),
    toolCalls,
    usage: parseUsage(value['usage']),
    tokensPerSecond: numberOr(value['tokensPerSecond'], null),
    ...(value['hasLogprobs'] === true && { hasLogprobs: true }),
    finish_reason: textOr(value['finish_reason'], null),
    state: isState(state) ? state : 'interrupted',
    problem: null,
  };
}

function parseFailure(value: unknown): AnswerFailure | null {
  if (!isObject(value)) return null;
  return {
    message: textOr(value['message'], 'unknown'),
    hint: textOr(value['hint'], ''),
    status: numberOr(value['status'], null),
    code: textOr(value['code'], null),
    param: textOr(value['param'], null),
    requestId: textOr(value['requestId'], null),
  };
}

const ORIGINS = ['recordId', 'repeats', 'promptKey', 'schemaKey'] as const;

function parseOrigin(value: JsonObject): Pick<Answer, (typeof ORIGINS)[number]> {
  return Object.fromEntries(
    ORIGINS.flatMap((name) => {
      const text = textOr(value[name], null);
      return text === null ? [] : [[name, text] as const];
    }),
  );
}

function parseAnswer(id: string, value: JsonObject): Answer {
  const timing = isObject(value['timing']) ? value['timing'] : EMPTY_TIMING;
  const phase = textOr(value['phase'], '');
  return {
    id,
    model: textOr(value['model'], ''),
    message: parseMessage(value['message']),
    phase: isPhase(phase) ? phase : 'interrupted',
    timing: {
      firstMs: numberOr(timing.firstMs, null),
      textMs: numberOr(timing.textMs, null),
      endMs: numberOr(timing.endMs, null),
    },
    failure: parseFailure(value['failure']),
    sentAt: numberOr(value['sentAt'], 0),
    waitUntil: null,
    batch: textOr(value['batch'], null),
    seed: numberOr(value['seed'], null),
    isEdited: value['isEdited'] === true,
    ...(value['isCopied'] === true && { isCopied: true }),
    ...parseOrigin(value),
  };
}

function parseAnswerTurn(id: string, value: JsonObject): AnswerTurn | null {
  // Version 1 of the stored format had one answer in each turn, its fields beside the turn's.
  if (!Object.hasOwn(value, 'versions')) return { id, role: 'assistant', versions: [parseAnswer(id, value)], shown: 0 };
  const versions = arrayOr(value['versions']).flatMap((version) =>
    isObject(version) && typeof version['id'] === 'string' ? [parseAnswer(version['id'], version)] : [],
  );
  if (versions.length === 0) return null;
  const shown = numberOr(value['shown'], -1);
  return { id, role: 'assistant', versions, shown: versions[shown] ? shown : versions.length - 1 };
}

/** A stored turn, in this or an earlier format; null if it is damaged. */
export function parseTurn(value: unknown): Turn | null {
  if (!isObject(value) || typeof value['id'] !== 'string') return null;
  const { id, role, content } = value;
  if (role === 'assistant') return parseAnswerTurn(id, value);
  if (typeof content !== 'string') return null;
  if (role === 'user') {
    const editedAt = typeof value['editedAt'] === 'number' && { editedAt: value['editedAt'] };
    return {
      id,
      role,
      content,
      ...editedAt,
      ...(value['isTakenOver'] === true && { isTakenOver: true }),
      ...(value['joinsNext'] === true && { joinsNext: true }),
    };
  }
  return role === 'tool'
    ? { id, role, content, tool_call_id: textOr(value['tool_call_id'], ''), name: textOr(value['name'], '') }
    : null;
}
