// One document that a tab works on and this browser stores: it is loaded once, then every change is written. Each tab
// has its own document. Changes that a closing page can't write in time stay in the tab's session storage (the tail)
// for the next page. Problems are shown, never thrown.
import { arrayOr, isObject, parseJson } from '#core/contract/readJson.ts';
import {
  DatabaseTrouble,
  readRecords,
  writeRecords,
  type Database,
  type DatabaseEvents,
  type RecordRange,
  type StoredRecord,
} from './browserDatabase.ts';
import { readKept } from './keptText.ts';
import { watchPageLeaving, type Leaving } from './leaving.ts';
import { makeId } from './makeId.ts';
import { isWriteProblem, toStorageProblem, type StorageWords } from './storageWords.ts';
import { TabClaims, type Claim } from './tabClaims.ts';

const SAVE_EVERY_MS = 1000;
/** Blank documents to keep, for tabs that a person has opened but not used yet. */
const MAX_BLANK = 12;
/** In characters: a browser gives a tab five million, and other parts of the page need some. */
const MAX_TAIL = 2_000_000;
const TAIL_EVERY_MS = 100;
/** Writing the tail takes at most this fraction (one part in 25) of the time: a long one is written less often. */
const TAIL_COST = 25;

export interface Place {
  readonly database: Database;
  /** The document that this tab writes to. */
  readonly id: string;
}

/** Which page wrote last, and its number of writes. Tells which of two states is newer. */
interface Mark {
  readonly life: string;
  readonly count: number;
}

/** What is stored, how it is read, and where its problems are shown. */
export interface DocumentPlan {
  /** Names the tab's document in session storage, and its lock. */
  readonly key: string;
  readonly words: StorageWords;
  readonly open: (events: DatabaseEvents) => Promise<Database>;
  /** The records that are read to show a document. */
  readonly toParts: (id: string) => readonly RecordRange[];
  /** All records of a document. */
  readonly toWhole: (id: string) => readonly RecordRange[];
  /** The records that changed since the last call. */
  readonly takeChanges: (id: string) => readonly StoredRecord[];
  /** The document gets another id, and all its records count as changed. */
  readonly onCopy: (id: string) => void;
  /** The record that tells which page wrote last. Only a document with this record has a tail. */
  readonly toMarkRecord?: (id: string, mark?: Mark) => StoredRecord;
  readonly readProblem: () => string | null;
  readonly showProblem: (problem: string | null, isReloadNeeded: boolean) => void;
}

interface Entering {
  /** Asked right before the switch: why the current document stays, or null. */
  readonly findObstacle: () => string | null;
  /** Shows the other document. Resolves to why it can't be shown, or null. */
  readonly show: () => string | null;
  /** What is stored of the other document. */
  readonly stored: readonly StoredRecord[];
}

interface Unstored {
  readonly record: StoredRecord;
  /** A write on its way has it. */
  isWriting: boolean;
}

const toName = ([store, key]: StoredRecord): string => JSON.stringify([store, key]);

function parseMark(value: unknown): Mark | null {
  return isObject(value) && typeof value['life'] === 'string' && typeof value['count'] === 'number'
    ? { life: value['life'], count: value['count'] }
    : null;
}

const isRecord = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === 'string' && (typeof value[1] === 'string' || Array.isArray(value[1]));

interface Tail {
  readonly id: string;
  readonly mark: Mark;
  /** The mark in the database when the page read the document; null: there was none. */
  readonly seen: Mark | null;
  readonly records: readonly StoredRecord[];
}

/** null: there is none, or it can't be read. */
function parseTail(text: string | null): Tail | null {
  const value = parseJson(text ?? 'null');
  const mark = isObject(value) ? parseMark(value['mark']) : null;
  if (!isObject(value) || value['version'] !== 2 || typeof value['id'] !== 'string' || mark === null) return null;
  const records = arrayOr(value['records']).filter(isRecord) as readonly StoredRecord[];
  return {
    id: value['id'],
    mark,
    seen: parseMark(value['seen']),
    // JSON has null where a record is deleted.
    records: records.map(([store, key, record]) => [store, key, record ?? undefined]),
  };
}

/** Whether the tail is newer than the database: neither another page nor a later write of the same page has written. */
export function isNewer({ mark, seen }: Pick<Tail, 'mark' | 'seen'>, stored: Mark | null): boolean {
  if (stored?.life === mark.life) return stored.count < mark.count;
  return stored?.life === seen?.life && stored?.count === seen?.count;
}

export class StoredDocument {
  readonly claims: TabClaims;
  private place: Place | null = null;
  /** The changed records that the database may lack, by name. */
  private unstored = new Map<string, Unstored>();
  private readonly inFlight = new Set<Promise<boolean>>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isSaveDue = false;
  private readonly tailKey: string;
  private tailTimer: ReturnType<typeof setTimeout> | null = null;
  private tailGap = TAIL_EVERY_MS;
  private readonly life = makeId();
  private count = 0;
  /** The mark of the last write before this page read the document. */
  private seen: Mark | null = null;
  /** A person deleted the data of this browser, so no copy may stay in this tab either. */
  private isDeleted = false;
  private leaving: Leaving | null = null;
  private readonly leavers = new Set<() => void>();

  constructor(private readonly plan: DocumentPlan) {
    this.claims = new TabClaims(plan.key);
    this.tailKey = `${plan.key}.tail`;
  }

  /** Where the document is stored; null: nowhere. */
  readonly findPlace = (): Place | null => this.place;

  /** Opens the database; `begin` shows a document. Then changes are watched. */
  async load(begin: (database: Database) => Promise<void>): Promise<void> {
    const { plan } = this;
    this.claims.onLost = () => void this.continueWithCopy();
    try {
      const database = await plan.open({
        onBlocked: () => plan.showProblem(plan.words.blocked, false),
        beforeClose: () => void this.write(),
        onOutdated: (trouble) => this.report(trouble),
        onReopened: () => void this.write(),
      });
      if (plan.readProblem() === plan.words.blocked) plan.showProblem(null, false);
      await begin(database);
    } catch (error) {
      this.report(error);
    }
    this.leaving = watchPageLeaving(window, this.leave);
    document.addEventListener('visibilitychange', () => document.hidden && this.leave());
    this.keepTail();
    // Writes the tail of the previous page, or the copy in a duplicated tab.
    void this.write();
  }

  /** Reads the claimed document, with the tail of the previous page. */
  async readClaimed(database: Database, { id, from }: Claim): Promise<readonly StoredRecord[]> {
    const stored = await readRecords(database, this.plan.toParts(from));
    const mark = this.findMark(from, stored);
    const tail = parseTail(readKept('sessionStorage', this.tailKey));
    const added = tail?.id === from && isNewer(tail, mark) ? tail.records : [];
    if (id === from) {
      this.seen = mark;
      this.unstored = new Map(added.map((record) => [toName(record), { record, isWriting: false }]));
    }
    const all = new Map([...stored, ...added].map((record) => [toName(record), record]));
    return [...all.values()].filter(([, , value]) => value !== undefined);
  }

  /** Stores the document of this tab in `place` from now on. */
  begin(place: Place, isFresh = false): void {
    this.place = place;
    if (isFresh) [this.unstored, this.seen] = [new Map(), null];
  }

  /**
   * Writes all changes. Resolves to whether this and all earlier writes succeeded. Starts at once: the page may be
   * closing.
   */
  async write(): Promise<boolean> {
    const begun = this.writeChanges();
    this.inFlight.add(begun);
    void begun.finally(() => this.inFlight.delete(begun));
    return (await Promise.all(this.inFlight)).every(Boolean);
  }

  /** Writes a change within a second; `isAct`: in a microtask, because a reload may be next. */
  saveSoon(isAct = false): void {
    this.timer ??= setTimeout(() => void this.write(), SAVE_EVERY_MS);
    this.tailTimer ??= setTimeout(() => this.keepTail(), this.tailGap);
    if (!isAct || this.isSaveDue) return;
    this.isSaveDue = true;
    queueMicrotask(() => {
      this.isSaveDue = false;
      void this.write();
    });
  }

  /** Replaces the document by another one that this tab has claimed. Resolves to why the current one stays, or null. */
  async enter(id: string, { findObstacle, show, stored }: Entering): Promise<string | null> {
    // Changes that are made during a write belong to the old document, so the loop writes until nothing is new.
    do if (!(await this.write())) return this.plan.words.unsaved;
    while (this.hasChanges());
    const { place } = this;
    if (!place) return this.plan.words.unsaved;
    const obstacle = findObstacle() ?? show();
    if (obstacle !== null) return obstacle;
    this.place = { ...place, id };
    this.seen = this.findMark(id, stored);
    this.claims.move(id);
    return null;
  }

  /** Runs `act` while this tab holds the document; resolves to a reason if another tab has it open. */
  async withClaim<T>(id: string, act: () => Promise<T>): Promise<T | string> {
    if (!(await this.claims.hold(id))) return this.plan.words.elsewhere;
    try {
      return await act();
    } finally {
      this.claims.release(id);
    }
  }

  /**
   * Deletes a document; if it is this tab's own, `replace` opens another one first. Resolves to why it can't, or to the
   * undo.
   */
  async remove(
    id: string,
    replace: () => Promise<string | null>,
  ): Promise<{ readonly problem: string } | { readonly restore: () => Promise<void> }> {
    const { place, plan } = this;
    if (!place) return { problem: plan.words.alone };
    const { database } = place;
    const result = await this.withClaim(id, async () => {
      const problem = id === place.id ? await replace() : null;
      if (problem !== null) return problem;
      const records = await readRecords(database, plan.toWhole(id));
      await writeRecords(database, [], plan.toWhole(id));
      return { restore: () => writeRecords(database, records) };
    });
    return typeof result === 'string' ? { problem: result } : result;
  }

  /** Deletes documents that no tab has open and that `isBlank` finds blank, but for the newest. */
  async prune(
    database: Database,
    blank: readonly string[],
    isBlank: (records: readonly StoredRecord[]) => boolean,
  ): Promise<void> {
    const whole = (id: string): readonly RecordRange[] => this.plan.toWhole(id);
    for (const id of blank.slice(MAX_BLANK))
      await this.claims.ifUnclaimed(id, async () => {
        if (isBlank(await readRecords(database, whole(id)))) await writeRecords(database, [], whole(id));
      });
  }

  /** Calls `finish` before the page is hidden or closes, so that text that was read but not shown is stored too. */
  readonly watchLeaving = (finish: () => void): void => void this.leavers.add(finish);

  /** The page is closing. The browser aborts requests then, which is no fault of the service. */
  readonly isLeaving = (): boolean => this.leaving?.isLeaving() ?? false;

  private readonly leave = (): void => {
    for (const finish of this.leavers) finish();
    // The tail comes first: a write that begins now may never finish.
    this.keepTail();
    void this.write();
  };

  private async writeChanges(): Promise<boolean> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { place, plan } = this;
    if (!place) return false;
    let due: readonly (readonly [string, Unstored])[] = [];
    try {
      this.collect();
      due = [...this.unstored].filter(([, { isWriting }]) => !isWriting);
      if (due.length === 0) return true;
      for (const [, entry] of due) entry.isWriting = true;
      const mark = plan.toMarkRecord?.(place.id, this.nextMark());
      await writeRecords(place.database, [...(mark ? [mark] : []), ...due.map(([, { record }]) => record)]);
      // A record that has changed again since is another entry.
      for (const [name, entry] of due) if (this.unstored.get(name) === entry) this.unstored.delete(name);
      if (isWriteProblem(plan.readProblem(), plan.words)) plan.showProblem(null, false);
      return true;
    } catch (error) {
      // Nothing was stored: the next write includes it.
      for (const [, entry] of due) entry.isWriting = false;
      this.report(error);
      return false;
    } finally {
      this.keepTail();
    }
  }

  private collect(): void {
    if (!this.place) return;
    for (const record of this.plan.takeChanges(this.place.id))
      this.unstored.set(toName(record), { record, isWriting: false });
  }

  private hasChanges(): boolean {
    this.collect();
    return this.unstored.size > 0;
  }

  private nextMark(): Mark {
    this.count += 1;
    return { life: this.life, count: this.count };
  }

  private findMark(id: string, records: readonly StoredRecord[]): Mark | null {
    const own = this.plan.toMarkRecord?.(id);
    const name = own && toName(own);
    return parseMark(records.find((record) => toName(record) === name)?.[2]);
  }

  private keepTail(): void {
    if (this.tailTimer !== null) clearTimeout(this.tailTimer);
    this.tailTimer = null;
    if (!this.plan.toMarkRecord) return;
    const startedAt = performance.now();
    try {
      const text = this.toTailText();
      if (text === null) sessionStorage.removeItem(this.tailKey);
      else if (text !== undefined) sessionStorage.setItem(this.tailKey, text);
    } catch {
      // The storage is full or forbidden. The old text stays: its reader can tell its age.
    }
    this.tailGap = Math.max(TAIL_EVERY_MS, (performance.now() - startedAt) * TAIL_COST);
  }

  /** null: nothing to keep; undefined: the tail that is there stays. */
  private toTailText(): string | null | undefined {
    if (this.isDeleted) return null;
    // The tail of the previous page stays for the next one, when the database may open again.
    if (!this.place) return undefined;
    if (!this.hasChanges()) return null;
    const records = [...this.unstored.values()].map(({ record }) => record);
    const { seen } = this;
    const text = JSON.stringify({ version: 2, id: this.place.id, mark: this.nextMark(), seen, records });
    return text.length > MAX_TAIL ? undefined : text;
  }

  private report(error: unknown): void {
    const kind = error instanceof DatabaseTrouble ? error.kind : null;
    if (kind === 'deleted' && !this.isDeleted) {
      this.isDeleted = true;
      this.keepTail();
    }
    this.plan.showProblem(toStorageProblem(error, this.plan.words), kind === 'outdated' || kind === 'deleted');
  }

  /** Another tab has taken the document over, which only happens without the browser's locks. */
  private async continueWithCopy(): Promise<void> {
    if (!this.place) return;
    const { database } = this.place;
    this.place = null;
    const { id } = await this.claims.claimFresh(makeId);
    this.plan.onCopy(id);
    this.begin({ database, id }, true);
    this.plan.showProblem(this.plan.words.copied, false);
    await this.write();
  }
}
