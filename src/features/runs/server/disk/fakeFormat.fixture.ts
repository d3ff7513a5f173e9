// For tests: formats that read one kind of file each, and keep what they were given.
import { toEvidence } from '#features/runs/server/evidence.ts';
import {
  Unreadable,
  type Claim,
  type FileChange,
  type FolderView,
  type FormatReader,
  type ReadMode,
  type RunReading,
} from '#features/runs/server/reader.ts';

export interface FakeFormat extends FormatReader {
  /** What was given, in order: `tail run/log.txt start 5`. */
  readonly given: string[];
  /** The text that a reading has now, by path. */
  readonly texts: ReadonlyMap<string, string>;
  openings: number;
}

interface FakeOptions {
  readonly read?: ReadMode;
  /** Throws, to act as a reader with a fault. */
  readonly fail?: (at: 'recognise' | 'open' | 'take' | 'evidence', path: string) => void;
  readonly format?: string;
}

const join = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

/** Claims each file with this name, by its folder. Whole files must be JSON. */
export function fakeFormat(fileName: string, { read = { mode: 'tail' }, fail, format }: FakeOptions = {}): FakeFormat {
  const texts = new Map<string, string>();
  const given: string[] = [];

  function take(change: FileChange): void {
    const { kind, path } = change;
    const place = change.kind === 'tail' && change.isFromStart ? ' start' : '';
    given.push(`${kind} ${path}${place}${'content' in change ? ` ${change.content.length}` : ''}`);
    fail?.('take', path);
    if (change.kind === 'gone') texts.delete(path);
    if (change.kind === 'stat') texts.set(path, String(change.bytes));
    if (change.kind === 'database') texts.set(path, JSON.stringify(change.database.rows('select * from metrics')));
    if (!('content' in change)) return;
    const text = Buffer.from(change.content).toString();
    const before = change.kind === 'tail' && !change.isFromStart ? (texts.get(path) ?? '') : '';
    if (change.kind === 'whole') {
      try {
        JSON.parse(text);
      } catch {
        throw new Unreadable(`${path} is no JSON yet.`);
      }
    }
    texts.set(path, before + text);
  }

  const fake: FakeFormat = {
    format: format ?? fileName,
    label: `Fake ${fileName}`,
    given,
    texts,
    openings: 0,
    recognise(folder: FolderView): readonly Claim[] {
      fail?.('recognise', folder.path);
      if (!folder.files.has(fileName)) return [];
      return [{ key: folder.path, files: [{ path: join(folder.path, fileName), read }] }];
    },
    open(claim, folder): RunReading {
      fail?.('open', folder.path);
      fake.openings += 1;
      const path = join(folder.path, fileName);
      return {
        take,
        evidence() {
          fail?.('evidence', path);
          return [
            toEvidence({ format: fake.format, key: claim.key, folder: folder.path, tags: [texts.get(path) ?? ''] }),
          ];
        },
      };
    },
  };
  return fake;
}
