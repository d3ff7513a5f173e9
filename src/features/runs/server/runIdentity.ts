// The id of a run, made from what its trainer wrote, so that a folder that is moved keeps its links. It is given once, when
// all that the run wrote was read, and kept by place from then on: what is read first after a restart changes nothing. Copies
// in one root stay apart: the one that was there first keeps the id.
import * as z from 'zod/mini';
import { randomBytes } from 'node:crypto';
import { toUuid } from '#service/database/uuid.ts';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './errorText.ts';
import { isEvents, toTrackerId, type RunEvidence } from './evidence.ts';
import { perRun, type JoinedRun } from './joinedRun.ts';
import { toMainCurve, toStart } from './formatRun.ts';

// The ids that runs of a root have, by the places of what is known of them: one file for each root in the data folder, so
// that an id that was given once stays, whatever is read first after a restart.

const keptSchema = z.object({
  id: z.string(),
  /** Of its evidence: format, folder and key. */
  places: z.array(z.string()),
  /** Ids that follow from what it wrote. A run at the same places that wrote other things is another one. */
  contents: z.array(z.string()),
});
const fileSchema = z.object({ runs: z.array(keptSchema) });

export type KeptId = z.infer<typeof keptSchema>;

/** At once: calls that wait for their turn wait behind a mount that hangs. The files are small. */
export interface RunIdsFile {
  /** None if there is no file, or a damaged one: ids are then made again from what the runs wrote. */
  read(): readonly KeptId[];
  /** Adds to what another service wrote meanwhile. Why it can't be kept, a sentence; null: it is. */
  write(kept: readonly KeptId[]): string | null;
}

function readKept(file: string): readonly KeptId[] {
  try {
    const read = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return read.success ? read.data.runs : [];
  } catch {
    return [];
  }
}

function replace(file: string, text: string): void {
  const made = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(made, text, { mode: 0o600, flag: 'wx' });
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** `folder`: in the data folder; made when it is needed. */
export function openRunIdsFile(folder: string, rootId: string): RunIdsFile {
  const file = join(folder, `${rootId}.json`);
  return {
    read: () => readKept(file),
    write(kept) {
      const own = new Set(kept.map(({ id }) => id));
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const others = readKept(file).filter(({ id }) => !own.has(id));
        replace(file, `${JSON.stringify({ runs: [...kept, ...others] })}\n`);
        return null;
      } catch (error) {
        return (
          `The ids of its runs can't be kept in ${folder} (${codeOf(error)}), so stars and notes may be lost at the next ` +
          'start. Check that the studio may write there.'
        );
      }
    },
  };
}

/** Any fixed value: it separates these names from those of other programs. */
const NAMESPACE = Buffer.from('0b6f7c1e52d94c0fa7d1e3a94c6d8b21', 'hex');

/** A UUID: the same name gives the same one, on every machine. */
export const toRunUuid = (name: string): string => toUuid(name, NAMESPACE);

/** A root is known by its path, links resolved. */
export const toRootId = (path: string): string => toRunUuid(`root ${path}`);

/** Rows that tell one run from another. */
const FIRST_ROWS = 3;

function toRows(evidence: RunEvidence): string | null {
  const main = toMainCurve(evidence);
  if (!main || main.curve.length < FIRST_ROWS) return null;
  const { steps, values, times } = main.curve.read(0, FIRST_ROWS);
  const rows = Array.from({ length: FIRST_ROWS }, (_, at) => [steps[at], values[at], times?.[at] ?? null].join(' '));
  return `rows ${evidence.format} ${main.name} ${rows.join('; ')}`;
}

/** Event files are named by host and process, and begin with a time of microseconds. */
function toEvents({ format, process, startedAt }: RunEvidence): string | null {
  if (!isEvents(format) || startedAt === null) return null;
  return `events ${process?.host ?? ''} ${process?.pid ?? ''} ${startedAt}`;
}

function toId(evidence: RunEvidence): string | null {
  const id = toTrackerId(evidence);
  return id === null ? null : `id ${evidence.format} ${id}`;
}

/** What a run wrote that no other run did, best first: trackers' ids, the processes of its event files, its first rows. */
const toContents = perRun(({ evidence }): readonly string[] => {
  const oldest = evidence.toSorted((a, b) => (toStart(a) ?? Infinity) - (toStart(b) ?? Infinity));
  return [toId, toEvents, toRows].flatMap((read) => oldest.flatMap((each) => read(each) ?? []));
});

const toPlace = (evidence: RunEvidence): string => `${evidence.format} ${evidence.folder} ${evidence.key}`;

const isAtSamePlaces = (a: JoinedRun, b: JoinedRun | undefined): boolean =>
  a === b ||
  (a.evidence.length === b?.evidence.length &&
    a.evidence.every((each, at) => {
      const other = b.evidence[at];
      return other !== undefined && (each === other || toPlace(each) === toPlace(other));
    }));

export interface RunIds {
  /**
   * An id for each run, in their order; null: not all of it was read, and nothing is kept of it. The same run has the same id
   * for ever. `isRead`: whether all that a run wrote was read.
   */
  assign(runs: readonly JoinedRun[], isRead?: (run: JoinedRun) => boolean): readonly (string | null)[];
  /** The id of the run that would have had this one by other pieces of what it wrote; null: no run. */
  findOther(id: string): string | null;
  /** All that was given, to be kept. The same array as long as nothing is new. */
  kept(): readonly KeptId[];
}

export interface RunIdsMemory {
  /** What was given before. */
  readonly kept?: readonly KeptId[];
  /** Ids that people wrote notes on or serve models of. A run that could have one of them has it. */
  readonly used?: ReadonlySet<string>;
}

interface Given {
  readonly id: string;
  /** When, counted from 0. */
  readonly turn: number;
  places: readonly string[];
  readonly contents: Set<string>;
}

const isMeeting = (set: ReadonlySet<string>, list: readonly string[]): boolean => list.some((each) => set.has(each));

/** Ids of the runs of one root. */
export function openRunIds(rootId: string, { kept = [], used = new Set() }: RunIdsMemory = {}): RunIds {
  const given = new Map<string, Given>();
  const byPlace = new Map<string, Given>();
  const byContent = new Map<string, Given>();
  let last: { readonly runs: readonly JoinedRun[]; readonly ids: readonly (string | null)[] } = { runs: [], ids: [] };
  let list: readonly KeptId[] | null = kept;
  let others: ReadonlyMap<string, string> | null = null;

  const toName = (content: string): string => toRunUuid(`${rootId} ${content}`);
  const toNames = perRun((run) => toContents(run).map(toName));
  /** All ids that a run could have by a part of what it wrote. */
  const toPossible = perRun((run): readonly string[] => {
    const contents = toContents(run);
    const apart = run.evidence
      .map(toPlace)
      .flatMap((place) => ['', ...contents].map((content) => toName(`${content} at ${place}`)));
    return [...contents.map(toName), ...apart];
  });

  /** Tells a run's places and contents; what joins it later does not change its id. */
  function note(entry: Given, places: readonly string[], contents: readonly string[]): void {
    const isNew =
      places.some((place) => byPlace.get(place) !== entry) || contents.some((each) => !entry.contents.has(each));
    if (!isNew) return;
    list = null;
    const own = new Set([...entry.places, ...places]);
    for (const place of places) {
      const before = byPlace.get(place);
      if (before && before !== entry) before.places = before.places.filter((each) => each !== place);
      byPlace.set(place, entry);
    }
    entry.places = [...own];
    for (const content of contents) {
      entry.contents.add(content);
      if (!byContent.has(content)) byContent.set(content, entry);
    }
  }
  function give(id: string): Given {
    const entry = given.get(id) ?? { id, turn: given.size, places: [], contents: new Set<string>() };
    given.set(id, entry);
    return entry;
  }
  for (const { id, places, contents } of kept) note(give(id), places, contents);
  list = kept;

  /** Of several, as when two runs turn out to be one, the one that was given first. */
  function findAtPlace(run: JoinedRun): Given | null {
    const names = toNames(run);
    const [first] = run.evidence
      .flatMap((evidence) => byPlace.get(toPlace(evidence)) ?? [])
      // A folder that was emptied and trained into again holds another run.
      .filter(({ contents }) => names.length === 0 || contents.size === 0 || isMeeting(contents, names))
      .toSorted((a, b) => a.turn - b.turn);
    return first ?? null;
  }

  function toNewId(run: JoinedRun, taken: ReadonlySet<string>): string {
    const names = toNames(run);
    const isFree = (id: string): boolean => !taken.has(id);
    const moved = names.flatMap((name) => byContent.get(name) ?? []).find(({ id }) => isFree(id));
    if (moved) return moved.id;
    const noted = used.size === 0 ? undefined : toPossible(run).find((id) => used.has(id) && isFree(id));
    const [first] = run.evidence;
    const place = first ? toPlace(first) : run.folder;
    const [content] = toContents(run);
    const own = [...names.slice(0, 1), toName(`${content ?? ''} at ${place}`)];
    // Another run at this place may have had the id before, and its links are not this one's.
    return noted ?? own.find((id) => isFree(id) && !given.has(id)) ?? toRunUuid(`${rootId} ${place} ${given.size}`);
  }

  return {
    assign(runs, isRead = () => true) {
      // A run that only grew has the id that it had: ids go with places.
      const isSame =
        runs.length === last.runs.length &&
        last.ids.every((id) => id !== null) &&
        runs.every((run, at) => isAtSamePlaces(run, last.runs[at]));
      const ids = new Map<JoinedRun, string>();
      if (isSame) for (const [at, run] of runs.entries()) ids.set(run, last.ids[at] ?? '');
      else {
        others = null;
        const taken = new Set<string>();
        for (const run of runs) {
          const known = findAtPlace(run);
          if (!known || taken.has(known.id)) continue;
          taken.add(known.id);
          ids.set(run, known.id);
        }
        // By path, so that copies have the same ids after a restart.
        const rest = runs
          .filter((run) => !ids.has(run) && isRead(run))
          .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
        for (const run of rest) {
          const id = toNewId(run, taken);
          taken.add(id);
          ids.set(run, id);
        }
      }
      for (const [run, id] of ids) if (isRead(run)) note(give(id), run.evidence.map(toPlace), toNames(run));
      last = { runs, ids: runs.map((run) => ids.get(run) ?? null) };
      return last.ids;
    },
    findOther(id) {
      others ??= new Map(
        last.runs
          .flatMap((run, at) => {
            const own = last.ids[at] ?? null;
            return own === null ? [] : toPossible(run).map((each) => [each, own] as const);
          })
          .toReversed(),
      );
      return others.get(id) ?? null;
    },
    kept: () =>
      (list ??= [...given.values()]
        .filter(({ places }) => places.length > 0)
        .map(({ id, places, contents }) => ({ id, places: [...places], contents: [...contents] }))),
  };
}
