// Converts a grid to its stored record and back. Reads whatever is valid, and trusts no stored data. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { arrayOr, isObject, numberOr, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { CHECK_KINDS, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { PromptRow, RowMessage } from '#features/evaluation/shared/promptRow.ts';
import { SIMILARITY_MEASURES } from '#features/evaluation/shared/similarity.ts';
import { LENGTH_UNITS } from '#features/evaluation/shared/textLength.ts';
import {
  isSettled,
  type EarlierCell,
  type GridCell,
  type GridColumn,
  type GridSetup,
  type Sampling,
  type SettledCell,
  type Values,
} from './gridBook.ts';

export interface StoredGrid {
  readonly setup: GridSetup;
  readonly checks: readonly CheckSpec[];
  /** The earlier prompts, which answers name by index: a prompt may be long, and answers many. */
  readonly prompts: readonly string[];
  /** Unix milliseconds. */
  readonly savedAt: number;
}

/** Plain data. Variables are pairs, which keep their order and unusual names. */
export function toGridRecord({ setup, checks, prompts, savedAt }: StoredGrid): unknown {
  const { prompt, rows, columns, sampling, source, isEvaluation } = setup;
  return {
    version: 1,
    savedAt,
    prompt,
    sampling,
    source,
    isEvaluation,
    prompts,
    columns,
    checks,
    rows: rows.map(({ messages, variables, expected }) => ({ messages, variables: [...variables], expected })),
  };
}

const ROLES: ReadonlySet<unknown> = new Set<RowMessage['role']>(['system', 'user', 'assistant', 'tool']);
const isCall = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  value['type'] === 'function' &&
  isObject(value['function']) &&
  typeof value['function']['name'] === 'string' &&
  typeof value['function']['arguments'] === 'string';
const isCalls = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isCall));
const isMessage = (value: unknown): value is RowMessage =>
  isObject(value) &&
  ROLES.has(value['role']) &&
  typeof value['content'] === 'string' &&
  isCalls(value['tool_calls']) &&
  ['string', 'undefined'].includes(typeof value['tool_call_id']);

const isMessages = (value: unknown): value is readonly RowMessage[] => Array.isArray(value) && value.every(isMessage);
const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';

/** null: a message or a variable is damaged. Without it the row would ask another question. */
function parseRow(value: unknown): Omit<PromptRow, 'number'> | null {
  if (!isObject(value)) return null;
  const pairs = arrayOr(value['variables']);
  const messages = value['messages'] ?? null;
  if (!pairs.every(isPair) || !(messages === null || isMessages(messages))) return null;
  return { messages, variables: new Map(pairs), expected: textOr(value['expected'], null) };
}

/** At most a system prompt. The service validates its other fields. */
const isSystemMessage = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['role'] === 'string' &&
  (typeof value['content'] === 'string' || (value['content'] ?? null) === null);

/** Stored as received: dropping a field, or applying a changed limit, would cost every answer. */
const isRequest = (value: unknown): value is ChatRequest =>
  isObject(value) &&
  typeof value['model'] === 'string' &&
  Array.isArray(value['messages']) &&
  value['messages'].every(isSystemMessage);

/** null: there are none. */
function parseValues(value: unknown): Values | null {
  const entries = isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

const SAMPLINGS: readonly Sampling[] = ['neutral', 'greedy', 'pane'];
const parseSampling = (value: unknown): Sampling | null => SAMPLINGS.find((each) => each === value) ?? null;

/** What a person chose. A column without the field is older than it: it keeps the sampling that its answers had. */
function parseChoices(value: unknown, columns: readonly GridColumn[]): Readonly<Record<string, Sampling>> {
  const older = columns.filter(({ sampling }) => sampling === undefined).map(({ id }) => [id, 'pane'] as const);
  const chosen = Object.entries(isObject(value) ? value : {}).flatMap(([id, given]) => {
    const sampling = parseSampling(given);
    return sampling ? [[id, sampling] as const] : [];
  });
  return Object.fromEntries([...older, ...chosen]);
}

function parseColumn(value: unknown): GridColumn | null {
  if (!isObject(value)) return null;
  const request = value['request'];
  if (!isRequest(request)) return null;
  const name = textOr(value['name'], null);
  const values = parseValues(value['values']);
  const sampling = parseSampling(value['sampling']);
  return {
    id: textOr(value['id'], ''),
    label: textOr(value['label'], request.model),
    ...(name !== null && { name }),
    ...(sampling && { sampling }),
    request,
    ...(values && { values }),
  };
}

const isKind = (value: unknown): value is CheckSpec['kind'] => CHECK_KINDS.some((kind) => kind === value);

/** What only some kinds have. */
function parseSettings(value: JsonObject): Partial<CheckSpec> {
  const fields = arrayOr(value['fields']).filter((field) => typeof field === 'string');
  const measure = SIMILARITY_MEASURES.find((each) => each === value['measure']);
  const unit = LENGTH_UNITS.find((each) => each === value['unit']);
  const numbers = (['threshold', 'min', 'max'] as const).flatMap((name) =>
    typeof value[name] === 'number' ? [[name, value[name]] as const] : [],
  );
  return {
    ...(fields.length > 0 && { fields }),
    ...(measure && { measure }),
    ...(unit && { unit }),
    ...Object.fromEntries(numbers),
  };
}

function parseCheck(value: unknown): readonly CheckSpec[] {
  if (!isObject(value) || !isKind(value['kind'])) return [];
  return [
    {
      kind: value['kind'],
      expected: textOr(value['expected'], null),
      isCaseSensitive: value['isCaseSensitive'] !== false,
      tolerance: numberOr(value['tolerance'], 0),
      ...(value['isStrict'] === true && { isStrict: true }),
      ...parseSettings(value),
    },
  ];
}

/** null: damaged, or of another version. One unreadable column or row would shift every answer, so it rejects all. */
export function parseGridRecord(value: unknown): StoredGrid | null {
  if (!isObject(value) || value['version'] !== 1 || typeof value['prompt'] !== 'string') return null;
  const columns = arrayOr(value['columns']).map(parseColumn);
  const rows = arrayOr(value['rows']).map(parseRow);
  if (columns.includes(null) || rows.includes(null)) return null;
  const read = columns.flatMap((column) => column ?? []);
  const sampling = parseChoices(value['sampling'], read);
  const source = textOr(value['source'], '');
  return {
    setup: {
      id: 'grid',
      prompt: value['prompt'],
      rows: rows.flatMap((row, at) => (row ? [{ ...row, number: at + 1 }] : [])),
      columns: read,
      ...(Object.keys(sampling).length > 0 && { sampling }),
      ...(source !== '' && { source }),
      ...(value['isEvaluation'] === true && { isEvaluation: true }),
    },
    checks: arrayOr(value['checks']).flatMap(parseCheck),
    prompts: arrayOr(value['prompts']).map((prompt) => textOr(prompt, '')),
    savedAt: numberOr(value['savedAt'], 0),
  };
}

/** An answer or a failure, whatever the prompt was. */
function parseSettled(value: JsonObject): SettledCell | null {
  if (value['state'] === 'failed')
    return { state: 'failed', message: textOr(value['message'], 'unknown'), text: textOr(value['text'], '') };
  const answer = value['answer'];
  if (value['state'] !== 'done' || !isObject(answer) || typeof answer['text'] !== 'string') return null;
  const toolCalls = arrayOr(answer['toolCalls'])
    .filter(isObject)
    .map((call) => ({ name: textOr(call['name'], ''), arguments: textOr(call['arguments'], '') }));
  const askedAt = numberOr(answer['asked_at'], null);
  return {
    state: 'done',
    answer: {
      text: answer['text'],
      toolCalls,
      finish_reason: textOr(answer['finish_reason'], null),
      ...('prompt_tokens' in answer && { prompt_tokens: numberOr(answer['prompt_tokens'], null) }),
      completion_tokens: numberOr(answer['completion_tokens'], null),
      ...(askedAt !== null && { asked_at: askedAt }),
      ms: numberOr(answer['ms'], 0),
    },
  };
}

/** null: there is none, or its prompt is unknown, so nobody can say what it answers. */
function parseEarlier(value: unknown, prompts: readonly string[]): EarlierCell | null {
  if (!isObject(value)) return null;
  const cell = parseSettled(value);
  const earlier = prompts[numberOr(value['earlier'], -1)];
  return cell === null || earlier === undefined ? null : { ...cell, earlier };
}

/** A settled cell; null: it waits, or is damaged, so a run requests it again. */
export function parseCell(value: unknown, prompts: readonly string[]): GridCell | null {
  if (!isObject(value)) return null;
  if (value['earlier'] !== undefined) return parseEarlier(value, prompts);
  const cell = parseSettled(value);
  const kept = parseEarlier(value['kept'], prompts);
  return cell?.state === 'failed' && kept !== null ? { ...cell, kept } : cell;
}

/** The part of a cell that is stored (the same object for the same cell); null: nothing. */
export function toStored(cell: GridCell | undefined): SettledCell | null {
  if (!cell) return null;
  return isSettled(cell) ? cell : cell.state === 'running' ? (cell.kept ?? null) : null;
}

/** Plain data; `placeOf` returns a prompt's index in the grid's record. */
export function toCellRecord(cell: GridCell | undefined, placeOf: (prompt: string) => number): unknown {
  const stored = toStored(cell);
  if (stored === null) return null;
  const kept = stored.state === 'failed' ? stored.kept : undefined;
  return {
    ...stored,
    ...(stored.earlier !== undefined && { earlier: placeOf(stored.earlier) }),
    ...(kept && { kept: toCellRecord(kept, placeOf) }),
  };
}
