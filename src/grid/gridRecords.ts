// A grid as it is stored, and back: what can be read is read, nothing about stored data is trusted. Pure.
// It must not know the database.
import type { ChatRequest } from '../contract/chatRequest';
import { arrayOr, isObject, numberOr, textOr } from '../contract/reading';
import { CHECK_KINDS, type CheckSpec } from '../evaluation/checks';
import type { PromptRow, RowMessage } from '../evaluation/promptRows';
import type { GridCell, GridColumn, GridSetup } from './gridBook';

export interface StoredGrid {
  readonly setup: GridSetup;
  readonly checks: readonly CheckSpec[];
  /** Unix milliseconds. */
  readonly savedAt: number;
}

/** Plain data; variables as pairs, so that their order and odd names stay. */
export function toGridRecord({ setup, checks, savedAt }: StoredGrid): unknown {
  const { prompt, rows, columns } = setup;
  return { version: 1, savedAt, prompt, columns, checks, rows: rows.map(({ messages, variables, expected }) => ({ messages, variables: [...variables], expected })) };
}

const ROLES: ReadonlySet<unknown> = new Set<RowMessage['role']>(['system', 'user', 'assistant']);
const isMessage = (value: unknown): value is RowMessage => isObject(value) && ROLES.has(value['role']) && typeof value['content'] === 'string';

function parseRow(value: unknown): Omit<PromptRow, 'number'> | null {
  if (!isObject(value)) return null;
  const pairs = arrayOr(value['variables']).flatMap((pair) => {
    const [name, text] = arrayOr(pair);
    return typeof name === 'string' && typeof text === 'string' ? [[name, text] as const] : [];
  });
  const messages = Array.isArray(value['messages']) ? value['messages'].filter(isMessage) : null;
  return { messages, variables: new Map(pairs), expected: textOr(value['expected'], null) };
}

/** A system prompt at most; what else it may hold is for whoever answers to judge. */
const isSystemMessage = (value: unknown): boolean => isObject(value) && typeof value['role'] === 'string' && (typeof value['content'] === 'string' || (value['content'] ?? null) === null);

/** Kept as it came: a field that is dropped, or a limit that has changed since, would cost every answer. */
const isRequest = (value: unknown): value is ChatRequest =>
  isObject(value) && typeof value['model'] === 'string' && Array.isArray(value['messages']) && value['messages'].every(isSystemMessage);

function parseColumn(value: unknown): GridColumn | null {
  if (!isObject(value)) return null;
  const request = value['request'];
  if (!isRequest(request)) return null;
  const name = textOr(value['name'], null);
  return { id: textOr(value['id'], ''), label: textOr(value['label'], request.model), ...(name !== null && { name }), request };
}

const isKind = (value: unknown): value is CheckSpec['kind'] => CHECK_KINDS.some((kind) => kind === value);

function parseCheck(value: unknown): readonly CheckSpec[] {
  if (!isObject(value) || !isKind(value['kind'])) return [];
  return [{ kind: value['kind'], expected: textOr(value['expected'], null), isCaseSensitive: value['isCaseSensitive'] !== false, tolerance: numberOr(value['tolerance'], 0) }];
}

/** null: damaged, or of another version. A column or a row that can't be read would shift every answer: then nothing is. */
export function parseGridRecord(value: unknown): StoredGrid | null {
  if (!isObject(value) || value['version'] !== 1 || typeof value['prompt'] !== 'string') return null;
  const columns = arrayOr(value['columns']).map(parseColumn);
  const rows = arrayOr(value['rows']).map(parseRow);
  if (columns.includes(null) || rows.includes(null)) return null;
  return {
    setup: {
      id: 'grid',
      prompt: value['prompt'],
      rows: rows.flatMap((row, at) => (row ? [{ ...row, number: at + 1 }] : [])),
      columns: columns.flatMap((column) => column ?? []),
    },
    checks: arrayOr(value['checks']).flatMap(parseCheck),
    savedAt: numberOr(value['savedAt'], 0),
  };
}

/** A settled cell; null: it waits, or is damaged, so that it is asked for again. */
export function parseCell(value: unknown): GridCell | null {
  if (!isObject(value)) return null;
  if (value['state'] === 'failed') return { state: 'failed', message: textOr(value['message'], 'unknown'), text: textOr(value['text'], '') };
  const answer = value['answer'];
  if (value['state'] !== 'done' || !isObject(answer) || typeof answer['text'] !== 'string') return null;
  const toolCalls = arrayOr(answer['toolCalls']).filter(isObject).map((call) => ({ name: textOr(call['name'], ''), arguments: textOr(call['arguments'], '') }));
  return {
    state: 'done',
    answer: { text: answer['text'], toolCalls, finish_reason: textOr(answer['finish_reason'], null), completion_tokens: numberOr(answer['completion_tokens'], null), ms: numberOr(answer['ms'], 0) },
  };
}

/** What is stored of a cell; null: nothing, it is to be asked for. */
export const toCellRecord = (cell: GridCell | undefined): unknown => (cell?.state === 'done' || cell?.state === 'failed' ? cell : null);
