// A folder of files in memory, given to a format as `disk/` would.
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import type {
  Claim,
  FileChange,
  FileEntry,
  FolderView,
  FormatReader,
  RunReading,
} from '#features/runs/server/reader.ts';

/** Content by path below the root. A number: a file of that size that must never be opened. */
export type TestFiles = Readonly<Record<string, Uint8Array | string | number>>;

export const MODIFIED_AT = 1_787_400_000_000;

const toBytes = (content: Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

const sizeOf = (content: Uint8Array | string | number): number =>
  typeof content === 'number' ? content : toBytes(content).length;

interface OpenFolder extends FolderView {
  readonly files: Map<string, FileEntry>;
  readonly folders: Map<string, OpenFolder>;
}

/** The root of files with these paths. An entry without a name is an empty folder. */
export function toFolderOf(entries: Iterable<readonly [path: string, entry: Omit<FileEntry, 'name'>]>): FolderView {
  const root: OpenFolder = { path: '', parent: null, files: new Map(), folders: new Map() };
  for (const [path, entry] of entries) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = root;
    for (const part of parts) {
      const inner: OpenFolder = folder.folders.get(part) ?? {
        path: folder.path === '' ? part : `${folder.path}/${part}`,
        parent: folder,
        files: new Map(),
        folders: new Map(),
      };
      folder.folders.set(part, inner);
      folder = inner;
    }
    if (name !== '') folder.files.set(name, { name, ...entry });
  }
  return root;
}

/** The root of these files. `times`: when a file was changed, by path. */
export function toFolder(files: TestFiles, times: Readonly<Record<string, number>> = {}): FolderView {
  return toFolderOf(
    Object.entries(files).map(([path, content]) => [
      path,
      { bytes: sizeOf(content), modifiedAt: times[path] ?? MODIFIED_AT },
    ]),
  );
}

interface OpenClaim {
  readonly claim: Claim;
  readonly reading: RunReading;
}

/** Everything that a format claims in the folder and below it, read to the end. `chunk`: bytes of each tail read. */
export function readClaims(
  format: FormatReader,
  files: TestFiles,
  options: { times?: Readonly<Record<string, number>>; chunk?: number } = {},
): readonly OpenClaim[] {
  const times = options.times ?? {};
  const visit = (folder: FolderView): OpenClaim[] => [
    ...format.recognise(folder).map((claim) => {
      const reading = format.open(claim, folder);
      for (const change of toChanges(claim, files, times, options.chunk)) reading.take(change);
      return { claim, reading };
    }),
    ...[...folder.folders.values()].flatMap(visit),
  ];
  return visit(toFolder(files, times));
}

export const readEvidence = (...parameters: Parameters<typeof readClaims>): readonly RunEvidence[] =>
  readClaims(...parameters).flatMap(({ reading }) => reading.evidence());

/** What `disk/` gives for the files of a claim. */
function toChanges(
  claim: Claim,
  files: TestFiles,
  times: Readonly<Record<string, number>> = {},
  chunk = Infinity,
): readonly FileChange[] {
  return claim.files.flatMap(({ path, read }): FileChange[] => {
    const file = files[path];
    if (file === undefined) throw new Error(`${path} was claimed and is not there`);
    const about = { path, modifiedAt: times[path] ?? MODIFIED_AT, bytes: sizeOf(file) };
    if (read.mode === 'stat') return [{ ...about, kind: 'stat' }];
    if (typeof file === 'number') throw new Error(`${path} must not be opened`);
    const content = toBytes(file);
    if (read.mode === 'whole') return [{ ...about, kind: 'whole', content }];
    if (read.mode === 'head') return [{ ...about, kind: 'head', content: content.subarray(0, read.bytes) }];
    if (read.mode === 'database') throw new Error('Databases are not made here');
    const step = Math.min(chunk, Math.max(1, content.length));
    const changes: FileChange[] = [];
    for (let at = 0; at === 0 || at < content.length; at += step) {
      changes.push({ ...about, kind: 'tail', content: content.slice(at, at + step), isFromStart: at === 0 });
    }
    return changes;
  });
}

/** The points of a curve as `[step, value]`. */
export function pointsOf(evidence: RunEvidence | undefined, name: string): readonly (readonly [number, number])[] {
  const points = evidence?.curves.get(name)?.read();
  return points ? [...points.steps].map((step, i) => [step, points.values[i]!] as const) : [];
}
