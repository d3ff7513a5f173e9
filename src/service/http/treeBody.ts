// A project's tree as the bytes of an answer, plain and compressed. The bytes are joined from the texts of snapshots.
// The studio returns the same object for an unchanged snapshot, so a change costs only that snapshot's text.
import type { DatasetNode, ProjectNode, SnapshotNode } from '#core/contract/tree.ts';
import { toEtag } from './etag.ts';
import { joinParts, packPart, storePart, type GzipPart } from './gzipParts.ts';

export interface TreeBody {
  /** Weak: the plain and the compressed bytes share this tag. */
  readonly etag: string;
  readonly size: number;
  plain(): Buffer;
  /** Made once, off the main thread; all callers share it. */
  gzip(): Promise<Buffer>;
}

interface Piece {
  readonly bytes: Buffer;
  readonly digest: string;
  packed: GzipPart | null;
}

/** Each compression takes a quarter of a megabyte while it runs. */
const MAX_PARALLEL = 8;
const EMPTY = '"children":[]';

/** The text of a node before and after its children. */
function split(node: ProjectNode | DatasetNode): readonly [string, string] {
  // Quotes in a label or name are escaped, so the first match is the field.
  const text = JSON.stringify({ ...node, children: [] });
  const at = text.indexOf(EMPTY) + EMPTY.length - 1;
  return [text.slice(0, at), text.slice(at)];
}

/** `{"project":…}` as texts and snapshots in order. */
function toSequence(project: ProjectNode): (string | SnapshotNode)[] {
  const [head, tail] = split(project);
  const sequence: (string | SnapshotNode)[] = [`{"project":${head}`];
  for (const [index, dataset] of project.children.entries()) {
    const [before, after] = split(dataset);
    sequence.push(index === 0 ? before : `,${before}`);
    for (const [place, snapshot] of dataset.children.entries())
      sequence.push(...(place === 0 ? [snapshot] : [',', snapshot]));
    sequence.push(after);
  }
  return [...sequence, `${tail}}`];
}

async function packAll(pieces: readonly Piece[]): Promise<void> {
  const unpacked = pieces.filter((piece) => piece.packed === null).values();
  const work = async (): Promise<void> => {
    for (const piece of unpacked) piece.packed = await packPart(piece.bytes);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
}

/** Returns a function from a tree to its bytes. It returns the same object for the same tree. */
export function openTreeBodies(): (project: ProjectNode) => TreeBody {
  const bodies = new WeakMap<ProjectNode, TreeBody>();
  const pieces = new WeakMap<SnapshotNode, Piece>();
  const toPiece = (snapshot: SnapshotNode): Piece => {
    const known = pieces.get(snapshot);
    if (known) return known;
    const bytes = Buffer.from(JSON.stringify(snapshot));
    const piece = { bytes, digest: toEtag(bytes), packed: null };
    pieces.set(snapshot, piece);
    return piece;
  };

  function toBody(project: ProjectNode): TreeBody {
    const parts = toSequence(project).map((part) => (typeof part === 'string' ? Buffer.from(part) : toPiece(part)));
    const toBytes = (part: Buffer | Piece): Buffer => (Buffer.isBuffer(part) ? part : part.bytes);
    let plain: Buffer | null = null;
    let gzip: Promise<Buffer> | null = null;
    const pack = async (): Promise<Buffer> => {
      await packAll(parts.filter((part): part is Piece => !Buffer.isBuffer(part)));
      return joinParts(
        parts.map((part) => (Buffer.isBuffer(part) ? storePart(part) : (part.packed ?? storePart(part.bytes)))),
      );
    };
    return {
      etag: `W/${toEtag(parts.map((part) => (Buffer.isBuffer(part) ? part.toString() : part.digest)).join('\n'))}`,
      size: parts.reduce((sum, part) => sum + toBytes(part).length, 0),
      plain: () => (plain ??= Buffer.concat(parts.map(toBytes))),
      gzip: () => (gzip ??= pack()),
    };
  }

  return (project) => {
    const known = bodies.get(project) ?? toBody(project);
    bodies.set(project, known);
    return known;
  };
}
