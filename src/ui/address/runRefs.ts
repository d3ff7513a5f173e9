// Names of compared items in the address. A ref never changes, and is unique in a project.

export type RunRef =
  /** A suggestion of a snapshot's recommendation, named by the candidate's key (training/candidates). */
  | { readonly kind: 'candidate'; readonly snapshot_id: string; readonly key: string }
  /** An experiment of the tree. */
  | { readonly kind: 'experiment'; readonly experiment_id: string };

const ID = /^[^:]+$/;

export function toRunRef(ref: RunRef): string {
  return ref.kind === 'experiment' ? `x:${ref.experiment_id}` : `r:${ref.snapshot_id}:${ref.key}`;
}

/** null for a text that is no ref, as in a mistyped link. */
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
