// The id of a run, made from what its trainer wrote, so that a folder that is moved keeps its links. Copies in one root
// stay apart: the one that was there first keeps the id.
import { createHash } from 'node:crypto';
import type { RunEvidence } from './evidence.ts';
import type { JoinedRun } from './joinedRun.ts';
import { isEvents, toTrackerId } from './sourceRank.ts';
import { toMainCurve, toStart } from './strand.ts';

/** Any fixed value: it separates these names from those of other programs. */
const NAMESPACE = Buffer.from('0b6f7c1e52d94c0fa7d1e3a94c6d8b21', 'hex');

/** A UUID of version 5 (RFC 9562): the same name gives the same one, on every machine. */
export function toUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A root is known by its path, links resolved. */
export const toRootId = (path: string): string => toUuid(`root ${path}`);

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

/** What a run wrote that no other run did, best first: a tracker's id, the process of its first event file, its
 * first rows. */
function toContent({ evidence }: JoinedRun): string | null {
  const oldest = evidence.toSorted((a, b) => (toStart(a) ?? Infinity) - (toStart(b) ?? Infinity));
  const find = (read: (evidence: RunEvidence) => string | null): string | null => {
    for (const each of oldest) {
      const found = read(each);
      if (found !== null) return found;
    }
    return null;
  };
  return find(toId) ?? find(toEvents) ?? find(toRows);
}

const toPlace = (evidence: RunEvidence): string => `${evidence.format} ${evidence.folder} ${evidence.key}`;

const isAtSamePlaces = (a: JoinedRun, b: JoinedRun | undefined): boolean =>
  a === b ||
  (a.evidence.length === b?.evidence.length &&
    a.evidence.every((each, at) => {
      const other = b.evidence[at];
      return other !== undefined && (each === other || toPlace(each) === toPlace(other));
    }));

export interface RunIds {
  /** An id for each run, in their order. The same run has the same id as long as this object lives. */
  assign(runs: readonly JoinedRun[]): readonly string[];
}

/** Ids of the runs of one root. */
export function openRunIds(rootId: string): RunIds {
  /** By a piece of evidence: what joins a run later does not change its id. */
  const given = new Map<string, { readonly id: string; readonly turn: number }>();
  let turn = 0;
  let last: { readonly runs: readonly JoinedRun[]; readonly ids: readonly string[] } = { runs: [], ids: [] };
  return {
    assign(runs) {
      // A run that only grew has the id that it had: ids go with places.
      if (runs.length === last.runs.length && runs.every((run, at) => isAtSamePlaces(run, last.runs[at]))) {
        last = { runs, ids: last.ids };
        return last.ids;
      }
      turn += 1;
      const taken = new Set<string>();
      const ids = new Map<JoinedRun, string>();
      for (const run of runs) {
        // Of several, as when two runs turn out to be one, the one that was given first.
        const [known] = run.evidence
          .flatMap((evidence) => given.get(toPlace(evidence)) ?? [])
          .toSorted((a, b) => a.turn - b.turn || (a.id < b.id ? -1 : 1));
        if (!known || taken.has(known.id)) continue;
        taken.add(known.id);
        ids.set(run, known.id);
      }
      // By path, so that copies have the same ids after a restart.
      const rest = runs.filter((run) => !ids.has(run)).toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
      for (const run of rest) {
        const [first] = run.evidence;
        const place = first ? toPlace(first) : run.folder;
        const content = toContent(run);
        const wanted = content === null ? [] : [toUuid(`${rootId} ${content}`)];
        const id = [...wanted, toUuid(`${rootId} ${content ?? ''} at ${place}`)].find((each) => !taken.has(each));
        const own = id ?? toUuid(`${rootId} ${place} ${taken.size}`);
        taken.add(own);
        ids.set(run, own);
      }
      const known = new Map(given);
      given.clear();
      for (const [run, id] of ids)
        for (const evidence of run.evidence) {
          const place = toPlace(evidence);
          const before = known.get(place);
          given.set(place, before?.id === id ? before : { id, turn });
        }
      last = { runs, ids: runs.map((run) => ids.get(run) ?? '') };
      return last.ids;
    },
  };
}
