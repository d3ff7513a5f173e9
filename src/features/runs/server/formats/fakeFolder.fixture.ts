// For tests: folders in memory, and a reader that gets their files as the service gives them.
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import type {
  Claim,
  DatabaseView,
  FileChange,
  FolderView,
  FormatReader,
  RunReading,
  WantedFile,
} from '#features/runs/server/reader.ts';
import { toFolderOf } from './folder.fixture.ts';

/** Contents by path below the root. */
export type FakeFiles = Readonly<Record<string, string | Uint8Array | DatabaseView>>;

export const MODIFIED_AT = 1_800_000_000_000;
const encoder = new TextEncoder();

const toBytes = (content: FakeFiles[string] | undefined): Uint8Array =>
  typeof content === 'string' ? encoder.encode(content) : content instanceof Uint8Array ? content : new Uint8Array();

/** The root of these files. A path that ends in `/` is an empty folder. */
function toFolderView(files: FakeFiles): FolderView {
  return toFolderOf(
    Object.entries(files).map(([path, content]) => [path, { bytes: toBytes(content).length, modifiedAt: MODIFIED_AT }]),
  );
}

/** A claim of a reader on some files, read as far as the test goes. */
export class FakeReading {
  readonly claim: Claim;
  readonly reading: RunReading;

  constructor(reader: FormatReader, claim: Claim, folder: FolderView) {
    this.claim = claim;
    this.reading = reader.open(claim, folder);
  }

  /** Gives one file, or new bytes of it. */
  take(path: string, content: FakeFiles[string], isFromStart = true, modifiedAt = MODIFIED_AT): void {
    const wanted = this.claim.files.find((file) => file.path === path);
    if (wanted) this.reading.take({ ...toChange(wanted, content, isFromStart), modifiedAt });
  }

  takeAll(files: FakeFiles): this {
    for (const { path } of this.claim.files) {
      const content = files[path];
      if (content !== undefined) this.take(path, content);
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

function toChange({ path, read }: WantedFile, content: FakeFiles[string], isFromStart: boolean): FileChange {
  const bytes = toBytes(content);
  const about = { path, modifiedAt: MODIFIED_AT, bytes: bytes.length };
  if (read.mode === 'stat') return { ...about, kind: 'stat' };
  if (read.mode === 'tail') return { ...about, kind: 'tail', content: bytes, isFromStart };
  if (read.mode === 'head') return { ...about, kind: 'head', content: bytes.subarray(0, read.bytes) };
  if (read.mode === 'whole') return { ...about, kind: 'whole', content: bytes };
  if (typeof content === 'string' || content instanceof Uint8Array) throw new Error(`${path} is no database`);
  return { ...about, kind: 'database', database: content };
}

/** All claims of a reader in these files, in all folders. Nothing is read yet. */
export function openClaims(reader: FormatReader, files: FakeFiles): readonly FakeReading[] {
  const walk = (folder: FolderView): readonly FakeReading[] => [
    ...reader.recognise(folder).map((claim) => new FakeReading(reader, claim, folder)),
    ...[...folder.folders.values()].flatMap(walk),
  ];
  return walk(toFolderView(files));
}

/** What a reader says about all runs in these files. */
export const readRuns = (reader: FormatReader, files: FakeFiles): readonly RunEvidence[] =>
  openClaims(reader, files).flatMap((reading) => reading.takeAll(files).runs);

/** Curves of a run as plain lists: `loss: [[step, value], ...]`. That of the epoch is left out, as it is in each row. */
export const toPoints = (run: RunEvidence | undefined): Readonly<Record<string, readonly (readonly number[])[]>> =>
  Object.fromEntries(
    [...(run?.curves ?? [])].flatMap(([name, curve]) => {
      const { steps, values } = curve.read();
      return name === 'epoch' ? [] : [[name, [...steps].map((step, index) => [step, values[index] ?? Number.NaN])]];
    }),
  );

/** Facts of a map as plain values. */
export const toValues = (
  facts: ReadonlyMap<string, { readonly value: unknown }> | undefined,
): Record<string, unknown> => Object.fromEntries([...(facts ?? [])].map(([name, { value }]) => [name, value]));
