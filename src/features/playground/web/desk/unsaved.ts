// Texts in open editors that are not part of the conversation yet: edits of messages, new messages, results of calls.
// One list per session, stored with it. Pure.
import { arrayOr, isObject, textOr } from '#core/contract/readJson.ts';

/** The editable text of a turn. `name` and `tool_call_id` matter for tool turns only. */
export interface TurnText {
  readonly content: string;
  readonly name?: string;
  readonly tool_call_id?: string;
}

export type TurnRole = 'user' | 'assistant' | 'tool';

/** The editor of a text. Each has one text at most. */
export type UnsavedPlace =
  | { readonly kind: 'edit'; readonly turnId: string }
  /** A new message above or below a turn. */
  | { readonly kind: 'insert'; readonly turnId: string }
  /** Call ids are unique within one answer only. */
  | { readonly kind: 'result'; readonly answerId: string; readonly callId: string };

export type Unsaved = { readonly text: TurnText } & (
  | Extract<UnsavedPlace, { kind: 'edit' }>
  | (Extract<UnsavedPlace, { kind: 'insert' }> & { readonly side: 'above' | 'below'; readonly role: TurnRole })
  | Extract<UnsavedPlace, { kind: 'result' }>
);

export const NOTHING_UNSAVED: readonly Unsaved[] = [];

function isAt(one: UnsavedPlace, two: UnsavedPlace): boolean {
  if (one.kind === 'result' || two.kind === 'result')
    return one.kind === 'result' && two.kind === 'result' && one.answerId === two.answerId && one.callId === two.callId;
  return one.kind === two.kind && one.turnId === two.turnId;
}

type Found<Kind extends Unsaved['kind']> = Extract<Unsaved, { kind: Kind }>;

export function findUnsaved<Kind extends Unsaved['kind']>(
  list: readonly Unsaved[],
  place: Extract<UnsavedPlace, { kind: Kind }>,
): Found<Kind> | null {
  return (list.find((each) => isAt(each, place)) as Found<Kind> | undefined) ?? null;
}

/** Adds the entry, or replaces the one of the same place. */
export function putUnsaved(list: readonly Unsaved[], entry: Unsaved): readonly Unsaved[] {
  return [...dropUnsaved(list, entry), entry];
}

/**
 * Adds an empty new message beside a turn. If there is one already, it moves to this side and keeps its text and role.
 */
export function putInsert(
  list: readonly Unsaved[],
  turnId: string,
  side: 'above' | 'below',
  role: TurnRole,
): readonly Unsaved[] {
  const written = findUnsaved(list, { kind: 'insert', turnId });
  return putUnsaved(
    list,
    written ? { ...written, side } : { kind: 'insert', turnId, side, role, text: { content: '' } },
  );
}

export function dropUnsaved(list: readonly Unsaved[], place: UnsavedPlace): readonly Unsaved[] {
  return list.some((each) => isAt(each, place)) ? list.filter((each) => !isAt(each, place)) : list;
}

function readText(value: unknown): TurnText | null {
  if (!isObject(value) || typeof value['content'] !== 'string') return null;
  const { content, name, tool_call_id } = value;
  return {
    content,
    ...(typeof name === 'string' && { name }),
    ...(typeof tool_call_id === 'string' && { tool_call_id }),
  };
}

function readEntry(value: unknown): Unsaved | null {
  const text = isObject(value) ? readText(value['text']) : null;
  if (!isObject(value) || text === null) return null;
  const { kind, side, role } = value;
  const [turnId, answerId, callId] = ['turnId', 'answerId', 'callId'].map((name) => textOr(value[name], null));
  if (kind === 'result')
    return typeof answerId === 'string' && typeof callId === 'string' ? { kind, answerId, callId, text } : null;
  if (typeof turnId !== 'string') return null;
  if (kind === 'edit') return { kind, turnId, text };
  if (
    kind !== 'insert' ||
    (side !== 'above' && side !== 'below') ||
    (role !== 'user' && role !== 'assistant' && role !== 'tool')
  )
    return null;
  return { kind, turnId, side, role, text };
}

/** Reads stored data and leaves out invalid entries. */
export function readUnsaved(value: unknown): readonly Unsaved[] {
  return arrayOr(value)
    .map(readEntry)
    .filter((entry) => entry !== null);
}
