// Keeps the visits of this browser in IndexedDB: one record per project, and apart from it the time of its last sign,
// which is written often.
import { isObject, numberOr } from '#core/contract/readJson.ts';
import { openDatabase, readRecords, writeRecords, type Database } from '#ui/storage/browserDatabase.ts';
import type { SeenProject, Visit } from './visitChanges.ts';

const VISITS = 'visits';
const TIMES = 'times';

/** Rejects if the browser forbids databases, or a newer studio has upgraded this one. */
export const openVisitDatabase = (): Promise<Database> =>
  openDatabase({
    name: 'studio.visits',
    version: 1,
    upgrade: (database) => {
      for (const store of [VISITS, TIMES]) database.createObjectStore(store);
    },
  });

/** The last moment that a Date can hold, in Unix ms. */
const LAST_MOMENT = 8.64e15;

const toMoment = (value: unknown, other: number): number => Math.min(LAST_MOMENT, Math.max(0, numberOr(value, other)));

/** Stored data is never trusted: null for what is no record of this version. */
function readSeen(stored: unknown): SeenProject | null {
  if (!isObject(stored) || !(stored['statuses'] instanceof Map)) return null;
  const entries = [...(stored['statuses'] as Map<unknown, unknown>)];
  const isText = (entry: [unknown, unknown]): entry is [string, string] =>
    typeof entry[0] === 'string' && typeof entry[1] === 'string';
  return {
    at: toMoment(stored['at'], 0),
    isWhole: stored['isWhole'] === true,
    statuses: new Map(entries.filter(isText)),
  };
}

/** null: the project was never visited. */
export async function readVisit(database: Database, projectId: string): Promise<Visit | null> {
  const records = await readRecords(database, [
    [VISITS, projectId],
    [TIMES, projectId],
  ]);
  const [record, at] = [VISITS, TIMES].map((name) => records.find(([store]) => store === name)?.[2]);
  const seen = isObject(record) ? readSeen(record['seen']) : null;
  if (!isObject(record) || seen === null) return null;
  return { previous: readSeen(record['previous']), seen: { ...seen, at: toMoment(at, seen.at) } };
}

export const writeVisit = (database: Database, projectId: string, visit: Visit): Promise<void> =>
  writeRecords(database, [
    [VISITS, projectId, visit],
    [TIMES, projectId, visit.seen.at],
  ]);

/** The project is still on the screen, unchanged. */
export const writeVisitTime = (database: Database, projectId: string, at: number): Promise<void> =>
  writeRecords(database, [[TIMES, projectId, at]]);
