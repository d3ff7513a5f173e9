// Unsaved words by node. They are kept in this browser tab until they are saved or discarded, so that another selection
// or a reload loses none.
import { useSyncExternalStore } from 'react';
import { arrayOr, isObject, parseJson, textOr } from '#core/contract/readJson.ts';
import type { NoteDraft, NoteWords } from './noteWords.ts';

/** By node id, the newest last. */
export type Drafts = ReadonlyMap<string, NoteDraft>;

const KEY = 'studio.noteDrafts';
const MOST = 20;
/** A tab may store about five million characters, and this is not the only thing in it. */
const MOST_CHARACTERS = 1_000_000;

/** The stored text: of too many or too long drafts the newest. */
export function toStoredDrafts(drafts: Drafts): string {
  for (let entries = [...drafts].slice(-MOST); ; entries = entries.slice(1)) {
    const text = JSON.stringify(entries);
    if (text.length <= MOST_CHARACTERS || entries.length === 0) return text;
  }
}

function toWords(value: unknown): NoteWords | null {
  if (!isObject(value)) return null;
  const tags = arrayOr(value['tags']).filter((tag) => typeof tag === 'string');
  return { name: textOr(value['name'], ''), tags, text: textOr(value['text'], '') };
}

/** Parses the stored text; damaged parts are left out. */
export function parseDrafts(text: string | null): Drafts {
  const entries = arrayOr(parseJson(text ?? '[]')).flatMap((entry): [string, NoteDraft][] => {
    const [id, draft] = arrayOr(entry);
    const base = isObject(draft) ? toWords(draft['base']) : null;
    const mine = isObject(draft) ? toWords(draft['mine']) : null;
    return typeof id === 'string' && base && mine ? [[id, { base, mine }]] : [];
  });
  return new Map(entries);
}

let drafts: Drafts | null = null;
const listeners = new Set<() => void>();

function readDrafts(): Drafts {
  try {
    drafts ??= parseDrafts(sessionStorage.getItem(KEY));
  } catch {
    // Storage can be switched off; drafts then last as long as the page.
    drafts ??= new Map();
  }
  return drafts;
}

export const readDraft = (nodeId: string): NoteDraft | null => readDrafts().get(nodeId) ?? null;

/** Keeps the draft of a node; null: there is none any more. */
export function keepDraft(nodeId: string, draft: NoteDraft | null): void {
  const next = new Map(readDrafts());
  next.delete(nodeId);
  if (draft) next.set(nodeId, draft);
  drafts = next;
  try {
    if (next.size > 0) sessionStorage.setItem(KEY, toStoredDrafts(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // See readDrafts.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The unsaved words of a node; null: there are none. */
export function useDraft(nodeId: string): NoteDraft | null {
  return useSyncExternalStore(subscribe, () => readDraft(nodeId));
}
