// The browser's address as the owner of what a link restores: `?project=…&node=…&tab=…&models=…,…`.
// Features talk to each other only through it. It must not know what they show, and lets no token into a link.
import { useSyncExternalStore } from 'react';
import { REQUEST_LIMITS } from '../contract/limits';

export interface UrlState {
  readonly project: string | null;
  readonly node: string | null;
  readonly tab: string | null;
  /** One playground pane per entry, in order; an empty text is a pane without a model yet. */
  readonly models: readonly string[];
}

/** More panes than this are not shown, whatever a link asks for. */
export const MAX_MODELS = 8;
const MAX_CHARACTERS = 256;
const PLACES = ['project', 'node', 'tab'] as const;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A hand-made link with a stray "%": what stands there is meant.
    return text;
  }
}

/** Escapes an id's own commas once more than the query does, so that a link survives `,` being rewritten as `%2C`. */
const toListItem = (id: string): string => id.replaceAll('%', '%25').replaceAll(',', '%2C');

function parseModels(text: string | null): readonly string[] {
  if (text === null) return [];
  const ids = text.split(',', MAX_MODELS).map(decode);
  return ids.filter((id) => id.length <= REQUEST_LIMITS.modelCharacters);
}

/** Reads a query string; what can't be meant (too long, empty) is as good as absent. Never throws. */
export function parseUrl(search: string): UrlState {
  const query = new URLSearchParams(search);
  const read = (name: string): string | null => {
    const text = query.get(name);
    return text === null || text === '' || text.length > MAX_CHARACTERS ? null : text;
  };
  return { project: read('project'), node: read('node'), tab: read('tab'), models: parseModels(query.get('models')) };
}

/** The query string (`?…` or empty) after a change. Parameters that are not ours stay; a token does not. */
export function toSearch(search: string, patch: Partial<UrlState>): string {
  const now = parseUrl(search);
  const query = new URLSearchParams();
  for (const name of PLACES) {
    const value = patch[name] === undefined ? now[name] : patch[name];
    if (value !== null && value !== '') query.append(name, value);
  }
  const models = patch.models ?? now.models;
  if (models.length > 0) query.append('models', models.slice(0, MAX_MODELS).map(toListItem).join(','));
  const ours: ReadonlySet<string> = new Set([...PLACES, 'models', 'token']);
  for (const [name, value] of new URLSearchParams(search)) {
    if (!ours.has(name)) query.append(name, value);
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

const listeners = new Set<() => void>();
let readSearch: string | null = null;
let current: UrlState = parseUrl('');

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** The state in the address now. The same address gives the same object; the same models the same list. */
export function readUrl(): UrlState {
  const { search } = window.location;
  if (search !== readSearch) {
    readSearch = search;
    const next = parseUrl(search);
    current = isSameList(next.models, current.models) ? { ...next, models: current.models } : next;
  }
  return current;
}

function announce(): void {
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change, also by the browser's Back. Returns the way to stop. */
export function subscribeUrl(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', announce);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', announce);
  };
}

/** The state in the address; re-renders when it changes. */
export function useUrlState(): UrlState {
  return useSyncExternalStore(subscribeUrl, readUrl);
}

/** An address that shows the current view with `patch` applied; for links. */
export function linkTo(patch: Partial<UrlState>): string {
  return `${window.location.pathname}${toSearch(window.location.search, patch)}`;
}

/**
 * Changes the address. Pushes a history entry, or replaces the current one where going back would be no help
 * (a default selection, a value while it is typed). A patch that changes nothing does nothing.
 */
export function updateUrl(patch: Partial<UrlState>, { replace = false }: { readonly replace?: boolean } = {}): void {
  const { pathname, search, hash } = window.location;
  const next = `${pathname}${toSearch(search, patch)}`;
  if (next === `${pathname}${toSearch(search, {})}`) return;
  if (replace) window.history.replaceState(null, '', `${next}${hash}`);
  else window.history.pushState(null, '', `${next}${hash}`);
  announce();
}
