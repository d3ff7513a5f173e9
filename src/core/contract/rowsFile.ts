// The rows of a snapshot as files: which there are, and what a downloaded file is called. The service and the exported
// configs use the same names.

/** The parts of a snapshot: rows to train on, and rows to evaluate on. */
export const ROW_BUCKETS = ['training', 'validation'] as const;
export type RowBucket = (typeof ROW_BUCKETS)[number];

/** What names the files of a snapshot. */
export interface RowsOwner {
  readonly snapshotId: string;
  /** Labels in the tree. */
  readonly dataset: string;
  readonly snapshot: string;
}

/** Names stay short enough for every file system. */
const MAX_PART = 60;

/** Small Latin letters, digits and single hyphens: safe in a header, a shell, YAML and on every disk. */
export function toFilePart(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_PART).replaceAll(/^-|-$/g, '');
}

/**
 * A file name such as `ticket-triage-snapshot-1.training.jsonl`. A label without Latin letters or digits is replaced by
 * the start of the snapshot's id, so that such files don't share a name.
 */
export function toRowsFileName({ snapshotId, dataset, snapshot }: RowsOwner, bucket: RowBucket): string {
  const id = toFilePart(snapshotId).slice(0, 8);
  const parts = [toFilePart(dataset) || id, toFilePart(snapshot) || id].filter((part) => part !== '');
  return `${parts.join('-') || 'rows'}.${bucket}.jsonl`;
}
