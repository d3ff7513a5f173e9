// What the thread of a project's import and its starter say to each other.
import type { Stop } from '#server/data/importing/endThread.ts';
import type { FileItem } from './fileRecords.ts';

export type ToTransfer = { readonly kind: 'chunk'; readonly bytes: Uint8Array } | { readonly kind: 'end' } | Stop;

export type FromTransfer =
  | { readonly kind: 'read' | 'end'; readonly items: readonly FileItem[] }
  /** The file can't be taken. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };
