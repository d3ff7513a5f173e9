// Event files in folders below those of the same program: torch and tensorboardX write each line of `add_scalars`, and the
// settings of `add_hparams`, into a folder of its own.
import type { Curve } from '#features/runs/server/curve.ts';
import { toMetricName } from '#features/runs/server/metricNames.ts';
import { baseName, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type { TrainingProcess } from '#features/runs/server/evidence.ts';
import type { FolderView } from '#features/runs/server/reader.ts';
import { hasOnlyFigures, isHparams, joinCurves, type EventPart } from './eventParts.ts';

const EVENT_FILE = /(?:^|\.)tfevents\.(\d{9,11})\.(.+)$/;
/** `<host>.<pid>.<n>`, and a suffix that starts with a letter (`.v2`). tensorboardX writes only the host. */
const HOST_AND_PID = /^(.+)\.(\d+)\.\d+(?:\.[A-Za-z][\w-]*)*$/;
const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** `add_hparams` names its folder by the time. */
const STAMP = /^\d{9,11}(?:\.\d+)?$/;
const MAX_DEPTH = 4;

/** Unix seconds in the name of an event file; 0: it has none. */
export const startOf = (name: string): number => Number(EVENT_FILE.exec(name)?.[1] ?? 0);

/** By time; files of the same second by name, which ends with their number. */
export const byStart = (a: string, b: string): number =>
  startOf(a) - startOf(b) || a.localeCompare(b, 'en', { numeric: true });

/** The process in the name of an event file. */
export function readProcess(name: string): TrainingProcess | null {
  const rest = EVENT_FILE.exec(name)?.[2];
  if (rest === undefined) return null;
  const [, host, pid] = IP_ADDRESS.test(rest) ? [] : (HOST_AND_PID.exec(rest) ?? []);
  return host === undefined ? { host: rest, pid: null } : { host, pid: Number(pid) };
}

const eventNames = (folder: FolderView): readonly string[] =>
  [...folder.files.keys()].filter((name) => EVENT_FILE.test(name)).sort(byStart);

/** Whether all files of a folder are of programs that had begun to write into another. */
function isOfSameProgram(folder: FolderView, around: FolderView): boolean {
  const programs = eventNames(around).map((name) => ({ start: startOf(name), process: readProcess(name) }));
  return eventNames(folder).every((name) => {
    const process = readProcess(name);
    const isSame = (other: TrainingProcess | null): boolean =>
      process !== null && process.host === other?.host && process.pid === other.pid;
    return programs.some((program) => program.start <= startOf(name) && isSame(program.process));
  });
}

/** Whether the nearest folder around with event files is of the same program. */
export function isInner(folder: FolderView): boolean {
  let around = folder.parent;
  for (let depth = 1; around && depth < MAX_DEPTH; depth += 1, around = around.parent)
    if (eventNames(around).length > 0) return isOfSameProgram(folder, around);
  return false;
}

/** The event files of a folder, and of those below it that are of the same program. Paths below the root. */
export function findEventFiles(folder: FolderView): readonly string[] {
  const inner = (outer: FolderView, around: FolderView, depth: number): readonly string[] =>
    depth === MAX_DEPTH
      ? []
      : [...outer.folders.values()].flatMap((each) => {
          const names = eventNames(each);
          if (names.length === 0) return inner(each, around, depth + 1);
          if (!isOfSameProgram(each, around)) return [];
          return names.map((name) => pathIn(each.path, name)).concat(inner(each, each, 1));
        });
  const names = eventNames(folder);
  return names.length === 0 ? [] : [...names.map((name) => pathIn(folder.path, name)), ...inner(folder, folder, 1)];
}

/** What a folder below that of a run holds of it. */
export interface InnerFolder {
  readonly parts: readonly EventPart[];
  /** One line of `add_scalars`; null: the folder has settings. */
  readonly line: { readonly name: string; readonly curve: Curve } | null;
}

/** null: a run of its own, by the same program. */
export function toInnerFolder(folder: string, parts: readonly EventPart[]): InnerFolder | null {
  const isStamped = parts.every(({ path }) => STAMP.test(baseName(folderOf(path))));
  if (parts.every((part) => isHparams(part) || (isStamped && hasOnlyFigures(part)))) return { parts, line: null };
  const tags = new Set(parts.flatMap(({ file }) => [...file.curves.keys()]));
  const [tag] = tags;
  const [first] = parts;
  if (tags.size !== 1 || tag === undefined || !first) return null;
  const path = folderOf(first.path).slice(folder === '' ? 0 : folder.length + 1);
  // torch: `loss_train`; tensorboardX: `loss/train`. A slash in the tag of torch becomes an underscore.
  const start = [`${tag}/`, `${tag.replaceAll('/', '_')}_`].find((each) => path.startsWith(each));
  const [curve] = joinCurves(parts).values();
  if (start === undefined || !curve) return null;
  return { parts, line: { name: toMetricName(`${tag}/${path.slice(start.length)}`), curve } };
}
