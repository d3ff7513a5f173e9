// How the address names what is compared. A ref stays the same over refreshes, and is unique in a project.

export type RunRef =
  /** Advice of a snapshot's recommendation, by the candidate's key (training/candidates). */
  | { readonly kind: 'candidate'; readonly snapshot_id: string; readonly key: string }
  /** An experiment of the tree. */
  | { readonly kind: 'experiment'; readonly experiment_id: string };

const ID = /^[^:]+$/;

export function toRunRef(ref: RunRef): string {
  return ref.kind === 'experiment' ? `x:${ref.experiment_id}` : `r:${ref.snapshot_id}:${ref.key}`;
}

/** null for a text that names nothing, as a mistyped link does. */
export function parseRunRef(text: string): RunRef | null {
  if (text.startsWith('x:')) {
    const experiment_id = text.slice(2);
    return ID.test(experiment_id) ? { kind: 'experiment', experiment_id } : null;
  }
  if (!text.startsWith('r:')) return null;
  const end = text.indexOf(':', 2);
  const [snapshot_id, key] = [text.slice(2, end), text.slice(end + 1)];
  return end > 2 && key !== '' ? { kind: 'candidate', snapshot_id, key } : null;
}
