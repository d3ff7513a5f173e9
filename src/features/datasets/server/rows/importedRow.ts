// Lines that are chat rows already, as they are stored: the line itself, with the hash of its normal form.
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { toRowText } from '#core/rows/readRow.ts';
import type { StoredRow } from './rowBlocks.ts';

export function toStoredRow(text: string, bucket: RowBucket | null): StoredRow {
  const read = toRowText({ number: 1, text }, 'chat');
  return { text, original: null, hash: toContentHash(read.ok ? read.text : text), bucket };
}
