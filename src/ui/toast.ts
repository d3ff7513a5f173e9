// Short messages that come and go in a corner: the list, and the one way to add to it.
// It must not know how they look.

export interface ToastEntry {
  readonly id: number;
  readonly text: string;
  readonly tone: 'neutral' | 'ok' | 'bad';
}

const SHOWN_MS = 6000;
const MAX_SHOWN = 4;

let entries: readonly ToastEntry[] = [];
let nextId = 1;
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
  publish(entries.filter((entry) => entry.id !== id));
}

/** Shows a message. An error (`bad`) stays until it is dismissed; others leave after six seconds. */
export function showToast(text: string, { tone = 'neutral' }: { tone?: ToastEntry['tone'] } = {}): void {
  const id = nextId;
  nextId += 1;
  const others = entries.filter((entry) => entry.text !== text);
  publish([...others, { id, text, tone }].slice(-MAX_SHOWN));
  if (tone !== 'bad') setTimeout(() => dismissToast(id), SHOWN_MS);
}
