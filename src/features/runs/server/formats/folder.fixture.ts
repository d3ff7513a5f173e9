// For tests: folders in memory, whose files a format gets as `disk/` would give them.
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import type {
  Claim,
  DatabaseView,
  FileEntry,
  FolderView,
  FormatReader,
  RunReading,
} from '#features/runs/server/reader.ts';

type Content = Uint8Array | string | number | DatabaseView;

/** By path below the root. A number: a file of that size that must never be opened. A path that ends in `/`: a folder. */
export type TestFiles = Readonly<Record<string, Content>>;

interface ReadOptions {
  /** When a file was changed, by path. */
  readonly times?: Readonly<Record<string, number>>;
  /** Bytes of each tail read. */
  readonly chunk?: number;
}

export const MODIFIED_AT = 1_787_400_000_000;

const isBytes = (content: Content): content is Uint8Array | string =>
  typeof content === 'string' || content instanceof Uint8Array;
const toBytes = (content: Content): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : (content as Uint8Array);
const sizeOf = (content: Content): number =>
  typeof content === 'number' ? content : isBytes(content) ? toBytes(content).length : 0;

interface OpenFolder extends FolderView {
  readonly files: Map<string, FileEntry>;
  readonly folders: Map<string, OpenFolder>;
}

/** The root of these files. */
export function toFolder(files: TestFiles, times: ReadOptions['times'] = {}): FolderView {
  const root: OpenFolder = { path: '', parent: null, files: new Map(), folders: new Map() };
  for (const [path, content] of Object.entries(files)) {
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
    if (name !== '') folder.files.set(name, { name, bytes: sizeOf(content), modifiedAt: times[path] ?? MODIFIED_AT });
  }
  return root;
}

/** A claim of a format on some files, read as far as the test goes. */
export class FakeReading {
  readonly reading: RunReading;

  constructor(
    format: FormatReader,
    readonly claim: Claim,
    folder: FolderView,
  ) {
    this.reading = format.open(claim, folder);
  }

  /** Gives one file, or new bytes of it. */
  take(path: string, content: Content, isFromStart = true, modifiedAt = MODIFIED_AT, chunk = Infinity): void {
    const read = this.claim.files.find((file) => file.path === path)?.read;
    if (!read) return;
    const about = { path, modifiedAt, bytes: sizeOf(content) };
    if (read.mode === 'stat') return void this.reading.take({ ...about, kind: 'stat' });
    if (typeof content === 'number') throw new Error(`${path} must not be opened`);
    if (!isBytes(content)) return void this.reading.take({ ...about, kind: 'database', database: content });
    const bytes = toBytes(content);
    if (read.mode === 'whole') return void this.reading.take({ ...about, kind: 'whole', content: bytes });
    if (read.mode === 'head')
      return void this.reading.take({ ...about, kind: 'head', content: bytes.subarray(0, read.bytes) });
    const step = Math.min(chunk, Math.max(1, bytes.length));
    for (let at = 0; at === 0 || at < bytes.length; at += step) {
      const part = bytes.slice(at, at + step);
      this.reading.take({ ...about, kind: 'tail', content: part, isFromStart: isFromStart && at === 0 });
    }
    return undefined;
  }

  takeAll(files: TestFiles, { times = {}, chunk }: ReadOptions = {}): this {
    for (const { path } of this.claim.files) {
      const content = files[path];
      if (content !== undefined) this.take(path, content, true, times[path], chunk);
    }
    return this;
  }

  drop(path: string): void {
    this.reading.take({ kind: 'gone', path, modifiedAt: MODIFIED_AT, bytes: 0 });
  }

  get runs(): readonly RunEvidence[] {
    return this.reading.evidence();
  }
}

/** All claims of a format in these files, in all folders. Nothing is read yet. */
export function openClaims(format: FormatReader, files: TestFiles, times?: ReadOptions['times']): FakeReading[] {
  const walk = (folder: FolderView): FakeReading[] => [
    ...format.recognise(folder).map((claim) => new FakeReading(format, claim, folder)),
    ...[...folder.folders.values()].flatMap(walk),
  ];
  return walk(toFolder(files, times));
}

/** The same, read to the end. */
export const readClaims = (format: FormatReader, files: TestFiles, options: ReadOptions = {}): FakeReading[] =>
  openClaims(format, files, options.times).map((reading) => reading.takeAll(files, options));

/** What a format says about all runs in these files. */
export const readRuns = (...given: Parameters<typeof readClaims>): readonly RunEvidence[] =>
  readClaims(...given).flatMap(({ runs }) => runs);

/** The points of a curve as `[step, value]`. */
export function pointsOf(run: RunEvidence | undefined, name: string): readonly (readonly [number, number])[] {
  const points = run?.curves.get(name)?.read();
  return points ? [...points.steps].map((step, at) => [step, points.values[at]!] as const) : [];
}

/** Those of all curves by name. That of the epoch is left out, as it is in each row. */
export const toPoints = (run: RunEvidence | undefined): Readonly<Record<string, readonly (readonly number[])[]>> =>
  Object.fromEntries(
    [...(run?.curves.keys() ?? [])].flatMap((name) => (name === 'epoch' ? [] : [[name, pointsOf(run, name)]])),
  );

/** Facts of a map as plain values. */
export const toValues = (
  facts: ReadonlyMap<string, { readonly value: unknown }> | undefined,
): Record<string, unknown> => Object.fromEntries([...(facts ?? [])].map(([name, { value }]) => [name, value]));
