// Short messages that come and go in a corner: the list, and the one way to add to it.

/** What can be done about the message, once. */
export interface ToastAction {
  readonly label: string;
  readonly onSelect: () => void;
}

export interface ToastEntry {
  readonly id: number;
  readonly text: string;
  readonly tone: 'neutral' | 'success' | 'error';
  readonly action: ToastAction | null;
  /** Opens what the message is about. */
  readonly opener: ToastAction | null;
  /** Of several messages of a kind the last is shown. */
  readonly kind: string | null;
}

interface ToastOptions {
  readonly tone?: ToastEntry['tone'];
  readonly action?: ToastAction;
  readonly opener?: ToastAction;
  readonly kind?: string;
}

const SHOWN_MS = 6000;
/** Long enough to reach the button by keyboard. */
const ACTION_SHOWN_MS = 20_000;
/** More would cover what stands beneath. */
const MAX_SHOWN = 2;

let entries: readonly ToastEntry[] = [];
let nextId = 1;
/** Messages that leave by themselves, each with its time. */
const leaving = new Map<number, { readonly ms: number; timer: ReturnType<typeof setTimeout> | null }>();
let isHeld = false;
const listeners = new Set<() => void>();

function publish(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

export function readToasts(): readonly ToastEntry[] {
  return entries;
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function dismissToast(id: number): void {
  const timer = leaving.get(id)?.timer;
  if (timer != null) clearTimeout(timer);
  leaving.delete(id);
  publish(entries.filter((entry) => entry.id !== id));
}

/**
 * While somebody points at the messages, or has the focus there, none leaves by itself; afterwards each has its whole
 * time again.
 */
export function holdToasts(hold: boolean): void {
  if (hold === isHeld) return;
  isHeld = hold;
  for (const [id, entry] of leaving) {
    if (entry.timer !== null) clearTimeout(entry.timer);
    entry.timer = hold ? null : setTimeout(() => dismissToast(id), entry.ms);
  }
}

/** Says what was done and offers to undo it; `undo` returns why it could not, or null. */
export function showUndo(text: string, undo: () => string | null): void {
  const onSelect = (): void => {
    const reason = undo();
    if (reason !== null) showToast(reason);
  };
  showToast(text, { action: { label: 'Undo', onSelect } });
}

/** The newest ones; an error gives way to a newer error only. */
function limitShown(all: readonly ToastEntry[]): readonly ToastEntry[] {
  if (all.length <= MAX_SHOWN) return all;
  const oldest = all.slice(0, -1).find(({ tone }) => tone !== 'error') ?? all[0];
  return limitShown(all.filter((entry) => entry !== oldest));
}

/**
 * Shows a message. An error (`bad`) stays until it is dismissed; others leave after six seconds, those with an action
 * after twenty.
 */
export function showToast(text: string, { tone = 'neutral', action, opener, kind }: ToastOptions = {}): void {
  const id = nextId;
  nextId += 1;
  // Two of the same text with an action each are two different things to do.
  const others = entries.filter(
    (entry) => (kind === undefined || entry.kind !== kind) && (action !== undefined || entry.text !== text),
  );
  publish(
    limitShown([...others, { id, text, tone, action: action ?? null, opener: opener ?? null, kind: kind ?? null }]),
  );
  if (tone === 'error') return;
  const ms = action || opener ? ACTION_SHOWN_MS : SHOWN_MS;
  leaving.set(id, { ms, timer: isHeld ? null : setTimeout(() => dismissToast(id), ms) });
}
