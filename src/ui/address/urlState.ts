// The browser's address, which owns everything that a link restores: `?project=…&node=…&tab=…&models=…,…&compare=…,…`.
// Features talk to each other only through it.
import { useSyncExternalStore } from 'react';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';

/** More panes are not shown, whatever a link asks for. */
export const MAX_MODELS = 8;
/** More runs are not compared, because servers refuse a longer link. */
export const MAX_COMPARED = 1_000;
/** Longer texts in a link are ignored. */
export const MAX_TEXT = 256;
/** Far above any choice by hand; it keeps a hand-made link from slowing the page. */
const MAX_ENTRIES = 2_000;

/**
 * Single texts. `node`, `tab`: the selection. `q`: text filter of the tree. `find`: text filter of the experiments.
 * `group`: grouping of experiments. `baseline`: a compared run. `diff`: 1, only differences; 0, all. `plot`: the plot
 * and its axes; `color`: the axis that colours it. `order`: the row that orders compared columns. `grid`: the prompt grid
 * on show (gridAddress). `curves`: how curves are shown. `archived`: 1, also what people archived. `evaluation`: the one
 * that is open; `run`: one of its runs, the latest if absent; `answers`: which of its rows. `traces`: the filter of traces.
 */
const TEXTS = [
  'project',
  'node',
  'tab',
  'q',
  'find',
  'group',
  'baseline',
  'diff',
  'plot',
  'color',
  'order',
  'grid',
  'curves',
  'archived',
  'evaluation',
  'run',
  'answers',
  'traces',
] as const;

/**
 * Lists. `models`: one playground pane per entry; an empty text is a pane without a model. `status`: status chips of
 * the tree. `compare`: compared runs (runRefs). `brush`: ranges and choices per axis. `log`: axes with switched scale.
 * `sort`, `columns`, `pins`: the experiments table. `metrics`: those whose curves are drawn. `rows`: places of rows that a
 * link shows.
 */
const LISTS = ['models', 'status', 'compare', 'brush', 'log', 'sort', 'columns', 'pins', 'metrics', 'rows'] as const;

type TextName = (typeof TEXTS)[number];
type ListName = (typeof LISTS)[number];

export type UrlState = { readonly [Name in TextName]: string | null } & {
  readonly [Name in ListName]: readonly string[];
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A hand-made link with a stray "%": the text is taken literally.
    return text;
  }
}

/** Escapes commas inside an id once more than the query does, so that a link survives `,` being rewritten as `%2C`. */
const toListItem = (id: string): string => id.replaceAll('%', '%25').replaceAll(',', '%2C');

const MOST_ENTRIES: { readonly [Name in ListName]?: number } = { models: MAX_MODELS, compare: MAX_COMPARED };

const maxEntries = (name: ListName): number => MOST_ENTRIES[name] ?? MAX_ENTRIES;

function parseList(text: string | null, name: ListName): readonly string[] {
  if (text === null) return [];
  const entries = text
    .split(',', maxEntries(name))
    .map(decode)
    .filter((entry) => entry.length <= REQUEST_LIMITS.modelCharacters);
  return name === 'models' ? entries : [...new Set(entries.filter((entry) => entry !== ''))];
}

/** Parses a query string. Invalid values (too long, empty, duplicate) count as absent. Never throws. */
export function parseUrl(search: string): UrlState {
  const query = new URLSearchParams(search);
  const read = (name: string): string | null => {
    const text = query.get(name);
    return text === null || text === '' || text.length > MAX_TEXT ? null : text;
  };
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, read(name)])) as { [Name in TextName]: string | null }),
    ...(Object.fromEntries(LISTS.map((name) => [name, parseList(query.get(name), name)])) as {
      [Name in ListName]: readonly string[];
    }),
  };
}

/**
 * A tab and an open evaluation belong to the node, and a brush and rows to node and tab: they leave with them, unless the
 * change brings its own.
 * Selecting a node where the address names none does not change the view.
 */
function withoutOldView(now: UrlState, patch: Partial<UrlState>): Partial<UrlState> {
  const isOtherNode = now.node !== null && patch.node !== undefined && patch.node !== now.node;
  const isOtherTab = patch.tab !== undefined && patch.tab !== now.tab;
  if (!isOtherNode && !isOtherTab) return patch;
  const ofNode = isOtherNode ? { evaluation: null, run: null, answers: null } : {};
  return { tab: null, brush: [], rows: [], ...ofNode, ...patch };
}

/** The query string (`?…` or empty) after a change. Unknown parameters stay; a token does not. */
export function toSearch(search: string, requested: Partial<UrlState>): string {
  const now = parseUrl(search);
  const patch = withoutOldView(now, requested);
  const query = new URLSearchParams();
  for (const name of TEXTS) {
    const value = patch[name] === undefined ? now[name] : patch[name];
    if (value !== null && value !== '') query.append(name, value);
  }
  for (const name of LISTS) {
    const entries = patch[name] ?? now[name];
    if (entries.length > 0) query.append(name, entries.slice(0, maxEntries(name)).map(toListItem).join(','));
  }
  const ownNames: ReadonlySet<string> = new Set([...TEXTS, ...LISTS, 'token']);
  for (const [name, value] of new URLSearchParams(search)) {
    if (!ownNames.has(name)) query.append(name, value);
  }
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
}

/** Opens another project: clears everything that names or belongs to the previous one. */
export function toProject(project: string | null): Partial<UrlState> {
  const selection = { node: null, tab: null, compare: [], baseline: null, models: [] };
  const evaluation = { evaluation: null, run: null, answers: null };
  const filters = { q: null, status: [], find: null, brush: [], rows: [], archived: null, traces: null };
  const appearance = { order: null, color: null, log: [], columns: [], metrics: [], grid: null };
  return { project, ...selection, ...filters, ...evaluation, ...appearance };
}

const listeners = new Set<() => void>();
let readSearch: string | null = null;
let current: UrlState = parseUrl('');

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** The current state. The same address gives the same object; equal lists stay the same list. */
export function readUrl(): UrlState {
  const { search } = window.location;
  if (search !== readSearch) {
    readSearch = search;
    const next = parseUrl(search);
    const kept = LISTS.filter((name) => isSameList(next[name], current[name])).map((name) => [name, current[name]]);
    current = { ...next, ...(Object.fromEntries(kept) as Partial<UrlState>) };
  }
  return current;
}

function announce(): void {
  for (const listener of listeners) listener();
}

let isMoved = false;

function announceMove(): void {
  isMoved = true;
  announce();
}

/** Whether the last change of the address was Back or Forward. */
export const isHistoryMove = (): boolean => isMoved;

/** Calls `listener` after each change, also by the browser's Back. Returns a function that stops. */
export function subscribeUrl(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', announceMove);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', announceMove);
  };
}

/** The state in the address; renders again when it changes. */
export function useUrlState(): UrlState {
  // Also works where HTML is made without a browser, as in tests.
  return useSyncExternalStore(subscribeUrl, readUrl, readUrl);
}

const beforeProject = new Set<() => void>();

/**
 * Calls `flush` before another project opens, because typed text belongs to the old one. Returns a function that stops.
 */
export function watchProjectChange(flush: () => void): () => void {
  beforeProject.add(flush);
  return () => void beforeProject.delete(flush);
}

/** An address with `patch` applied to the current view; for links. */
export function linkTo(patch: Partial<UrlState>): string {
  return `${window.location.pathname}${toSearch(window.location.search, patch)}`;
}

/**
 * Changes the address. Pushes a history entry, or replaces the current one where going back would not help (a default
 * selection, a value while a person types it). A patch without changes does nothing.
 */
export function updateUrl(patch: Partial<UrlState>, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (patch.project !== undefined && patch.project !== readUrl().project) for (const flush of beforeProject) flush();
  const { pathname, search, hash } = window.location;
  const next = `${pathname}${toSearch(search, patch)}`;
  if (next === `${pathname}${toSearch(search, {})}`) return;
  isMoved = false;
  if (replace) window.history.replaceState(null, '', `${next}${hash}`);
  else window.history.pushState(null, '', `${next}${hash}`);
  announce();
}
