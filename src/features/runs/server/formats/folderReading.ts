// A run that is one folder: what the readers of most trainers have in common. Its files come by name, logs line by line.
import { arrayOr, type JsonObject } from '#core/contract/readJson.ts';
import type { CurveOptions } from '#features/runs/server/curve.ts';
import {
  toEvidence,
  toFact,
  type Checkpoint,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
} from '#features/runs/server/evidence.ts';
import { pathIn } from '#features/runs/server/paths.ts';
import type {
  FileChange,
  FileEntry,
  FolderView,
  ReadMode,
  RunReading,
  WantedFile,
} from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { toParameters } from './settings.ts';
import { TracebackWatch } from './traceback.ts';

export type WholeFile = Extract<FileChange, { readonly kind: 'whole' }>;

/** Settings as a trainer wrote them into one place, and facts by them. null: they don't say. */
export class WrittenSettings {
  constructor(
    readonly values: JsonObject,
    readonly source: FactSource,
  ) {}

  fact<Value>(value: Value | null): Fact<Value> | null {
    return toFact(value, this.source);
  }

  /** The first of these that is a text. */
  text(...names: readonly string[]): Fact<string> | null {
    return this.fact(names.flatMap((name) => toText(this.values[name]) ?? [])[0] ?? null);
  }

  /** The texts of a list that holds some. */
  texts(list: unknown): Fact<readonly string[]> | null {
    const found = arrayOr(list).filter((each) => typeof each === 'string');
    return this.fact(found.length > 0 ? found : null);
  }
}

const NOTHING = new WrittenSettings({}, { file: '', place: null });

export interface LogLine {
  readonly path: string;
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** When the log was written to. Unix milliseconds. */
  readonly at: number;
}

export const sourceOfLine = ({ path, number }: LogLine): FactSource => ({ file: path, place: `line ${number}` });

/** Those of the files that the folder has. */
export const wantFiles = (folder: FolderView, read: ReadMode['mode'], names: Iterable<string>): readonly WantedFile[] =>
  [...names]
    .filter((name) => folder.files.has(name))
    .map((name) => ({ path: pathIn(folder.path, name), read: { mode: read } as ReadMode }));

/** Weights in these files, saved when the last of them was. */
export const toWeights = (
  files: readonly Pick<FileEntry, 'bytes' | 'modifiedAt'>[],
  about: Pick<Checkpoint, 'path' | 'step' | 'kind'> & Partial<Checkpoint>,
): Checkpoint => ({
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  isComplete: true,
  measures: new Map(),
  savedAt: files.length === 0 ? null : Math.max(...files.map(({ modifiedAt }) => modifiedAt)),
  ...about,
});

interface Given extends Pick<CurveOptions, 'replacesRepeats'> {
  /** How the files are read whose changes say that the run goes on; absent: all. */
  readonly live?: readonly FileChange['kind'][];
  /** Its logs are a launcher's output. */
  readonly isConsole?: boolean;
}

export abstract class FolderReading implements RunReading {
  readonly log: MetricLog;
  readonly errors = new TracebackWatch();
  /** null: not read yet. */
  settings: WrittenSettings | null = null;
  parameters: ReadonlyMap<string, Fact<ParameterValue>> = new Map();
  /** Files that are only looked at, by path. */
  readonly saved = new Map<string, FileEntry>();
  changedAt: number | null = null;
  readonly #tails = new Map<string, { readonly tail: LogTail; lines: number }>();

  constructor(
    readonly folder: FolderView,
    readonly given: Given = {},
  ) {
    this.log = new MetricLog(given);
  }

  abstract evidence(): readonly RunEvidence[];
  protected takeWhole?(change: WholeFile): void;
  protected takeLine?(line: LogLine): void;
  /** A log begins anew, or a file is gone. */
  protected forget?(path: string): void;
  /** The newest state of a progress bar has no line end. */
  protected takeOpenLine?(line: string): void;

  take(change: FileChange): void {
    const { kind, path, modifiedAt } = change;
    if (kind === 'gone') {
      this.saved.delete(path);
      this.forget?.(path);
      return;
    }
    if (kind === 'tail' && change.isFromStart) this.forget?.(path);
    if (this.given.live?.includes(kind) ?? true) this.changedAt = Math.max(this.changedAt ?? 0, modifiedAt);
    if (kind === 'stat') this.saved.set(path, { name: path, bytes: change.bytes, modifiedAt });
    else if (kind === 'whole') this.takeWhole?.(change);
    else if (kind === 'tail') this.#takeTail(path, change.content, change);
  }

  #takeTail(path: string, content: Uint8Array, given: { isFromStart: boolean; modifiedAt: number }): void {
    const log = this.#tails.get(path) ?? { tail: new LogTail(this.given), lines: 0 };
    this.#tails.set(path, log);
    if (given.isFromStart) log.lines = 0;
    for (const text of log.tail.take(content, given.isFromStart)) {
      log.lines += 1;
      this.takeLine?.({ path, text, number: log.lines, at: given.modifiedAt });
    }
    this.takeOpenLine?.(log.tail.openLine);
  }

  /** What is known of the settings. */
  protected get written(): WrittenSettings {
    return this.settings ?? NOTHING;
  }

  /** The paths of all logs. */
  protected get logs(): readonly string[] {
    return [...this.#tails.keys()];
  }

  /** `shown`: by the names of parameters. */
  protected takeSettings(values: JsonObject, source: FactSource, shown = values): void {
    this.settings = new WrittenSettings(values, source);
    this.parameters = toParameters(shown, source);
  }

  protected dropSettings(): void {
    this.settings = null;
    this.parameters = new Map();
  }

  protected path(name: string): string {
    return pathIn(this.folder.path, name);
  }

  protected toEvidence(format: string, about: Partial<RunEvidence>): readonly RunEvidence[] {
    const { path } = this.folder;
    return [
      toEvidence({
        format,
        key: path,
        folder: path,
        parameters: this.parameters,
        curves: this.log.curves,
        summary: this.log.summary,
        lastSignAt: this.changedAt,
        problems: this.log.problems,
        ...about,
      }),
    ];
  }
}
