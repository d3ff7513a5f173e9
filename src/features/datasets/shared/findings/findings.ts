// Findings over a stream of rows: what is wrong with single rows, and with rows beside each other. Pure.
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { toAllMessages, toPreferred } from '#core/rows/preferenceRows.ts';
import { countCharacters } from '#core/rows/rowCalls.ts';
import type { Side } from '#features/datasets/shared/split.ts';
import { readAnswer } from './answerForm.ts';
import { FINDING_IDS, FINDING_KINDS, type FindingId, type FindingKind } from './findingKinds.ts';
import { openLanguages } from './languages.ts';
import { LANES, NearRows, toSignature } from './nearRows.ts';
import { HashTable, NumberList } from './numberLists.ts';
import { findRowFaults } from './rowChecks.ts';
import { SameQuestions } from './sameQuestions.ts';
import { toTaught } from './taughtText.ts';
import { UnlikeAnswers } from './unlikeAnswers.ts';

interface CheckedRow {
  /** A whole number below 2^32, such as the row's position. */
  readonly id: number;
  readonly row: ChatRow;
  /** Of `toContentHash` and `toQuestionHash`. */
  readonly hash: string;
  readonly question: string;
  /** null: no side was decided, so it can't leak. */
  readonly side: Side | null;
  /** Tokens of the whole row; null: not counted, so it is never too long. */
  readonly tokens: number | null;
}

interface FoundRow {
  readonly id: number;
  /** The row that it was compared with. */
  readonly other: number | null;
  /** Where and what, as a sentence. */
  readonly note: string | null;
}

export interface Finding extends FindingKind {
  readonly id: FindingId;
  readonly count: number;
  /** The first rows, at most `maxRows`. `rowsOf` has all. */
  readonly rows: readonly FoundRow[];
}

export interface FindingOptions {
  /** Tokens that the base model reads. null: not known. */
  readonly context: number | null;
  /** Rows that a finding names with their notes. */
  readonly maxRows?: number;
  /** Near duplicates are searched among so many first rows: each costs 300 to 430 bytes. */
  readonly maxNear?: number;
}

export interface Findings {
  /** One row: some 20 microseconds for 500 bytes. */
  add(row: CheckedRow): void;
  /**
   * Ends the search, in steps of a few milliseconds. Each step gives the share that is done (0 to 1), so that the
   * caller can pause, or stop by not asking again. Called once, after the last row.
   */
  finish(): Generator<number, void>;
  /** What was found so far, without empty findings, the gravest first. */
  toFindings(): readonly Finding[];
  /** The ids of all rows of a finding, in the order in which they were found. */
  rowsOf(id: FindingId): Uint32Array;
  /** For each of them, the row that it was compared with and 1; 0: there is none. */
  othersOf(id: FindingId): Uint32Array;
  /** Rows by the language in which people write in them, as its ISO 639-1 code; null: not known. */
  readonly languages: ReadonlyMap<string | null, number>;
}

const WEIGHTS = { error: 0, warning: 1, notice: 2 } as const;
const MAX_ROWS = 1000;
const MAX_NEAR = 500_000;
const STEP_ROWS = 20_000;

/** From so many rows on it can be said what is unusual. */
const MIN_ROWS = 100;
/** How far the logarithm of a length is from the middle: in robust standard deviations, and as a factor. */
const OUTLIER_DEVIATIONS = 5;
const OUTLIER_FACTOR = 4;
/** Turns a median deviation into a standard deviation, for a normal distribution. */
const NORMAL = 1.4826;
const MIN_DEVIATION = 0.1;

const SIDES: readonly (Side | null)[] = [null, 'training', 'validation'];
const TRAINING = 1;
const VALIDATION = 2;

class FoundRows {
  readonly ids = new NumberList();
  readonly others = new NumberList();
  readonly rows: FoundRow[] = [];
  constructor(private readonly maxRows: number) {}
  add(id: number, other: number | null, note: string | null): void {
    this.ids.push(id);
    this.others.push(other === null ? 0 : other + 1);
    if (this.rows.length < this.maxRows) this.rows.push({ id, other, note });
  }
}

/** What was found, of rows by their places: 0 for the first one. */
class Report {
  private readonly ids = new NumberList();
  private readonly found: ReadonlyMap<FindingId, FoundRows>;
  constructor(maxRows: number) {
    this.found = new Map(FINDING_IDS.map((id) => [id, new FoundRows(maxRows)]));
  }
  /** The place of the row. */
  addRow(id: number): number {
    this.ids.push(id);
    return this.ids.length - 1;
  }
  add(id: FindingId, place: number, other: number | null, note: string | null): void {
    this.of(id).add(this.ids.at(place), other === null ? null : this.ids.at(other), note);
  }
  of(id: FindingId): FoundRows {
    return this.found.get(id) ?? new FoundRows(0);
  }
  toFindings(): Finding[] {
    return FINDING_IDS.flatMap((id) => {
      const { ids, rows } = this.of(id);
      return ids.length === 0 ? [] : [{ id, ...FINDING_KINDS[id], count: ids.length, rows: [...rows] }];
    }).sort((a, b) => WEIGHTS[a.severity] - WEIGHTS[b.severity]);
  }
}

const isSystem = ({ role }: RowMessage): boolean => role === 'system' || role === 'developer';
const NO_ANSWER = { content: null };

/** What people wrote: mostly one message, which is not copied. */
function toAsked({ messages }: ChatRow): string {
  let asked = '';
  for (const { role, content } of messages)
    if (role === 'user' && content !== null) asked = asked === '' ? content : `${asked}\n${content}`;
  return asked;
}

/** The texts by which rows are compared. System prompts are left out: they would make all rows alike. */
function toComparedText(row: ChatRow): string {
  let text = '';
  for (const message of toAllMessages(row)) {
    if (isSystem(message)) continue;
    const { content, tool_calls: calls } = message;
    text += `${content ?? ''}\n`;
    for (const call of calls ?? []) text += `${call.function.name} ${call.function.arguments}\n`;
  }
  return text;
}

/** The place of the first row with the same hash. */
class FirstPlaces {
  private readonly places = new HashTable();
  add(place: number, hash: string): number {
    const [high, low] = [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8, 16), 16)];
    const first = this.places.get(high, low);
    if (first < 0) this.places.set(high, low, place);
    return first < 0 ? place : first;
  }
}

const medianOf = (sorted: Float64Array): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** The lengths beyond which a row is unusual; null if there are too few rows. */
function toBounds(lengths: Uint32Array): { readonly short: number; readonly long: number } | null {
  if (lengths.length < MIN_ROWS) return null;
  const logs = Float64Array.from(lengths, (length) => Math.log(length + 1)).sort();
  const middle = medianOf(logs);
  const deviation = medianOf(logs.map((log) => Math.abs(log - middle)).sort()) * NORMAL;
  const away = Math.max(OUTLIER_DEVIATIONS * Math.max(deviation, MIN_DEVIATION), Math.log(OUTLIER_FACTOR));
  return { short: Math.exp(middle - away) - 1, long: Math.exp(middle + away) - 1 };
}

function* findOutliers(lengths: NumberList, { short, long }: { readonly short: number; readonly long: number }) {
  for (let place = 0; place < lengths.length; place += 1) {
    const length = lengths.at(place);
    const id = length > long ? 'very-long' : length < short ? 'very-short' : null;
    if (id !== null) yield { id, place, note: `${length.toLocaleString('en')} characters.` } as const;
  }
}

/** Rows that belong together, by the place of their first one: whether a training row is among them. */
class Groups {
  private readonly groups = new NumberList();
  /** For each place that starts a group, the place and 1 of its first training row. */
  private readonly trained = new NumberList();
  add(place: number, group: number, side: number): void {
    this.groups.push(group);
    this.trained.push(0);
    if (side === TRAINING && this.trained.at(group) === 0) this.trained.set(group, place + 1);
  }
  /** The place that starts the group of a row. */
  groupOf(place: number): number {
    return this.groups.at(place);
  }
  /** The first training row of the group of a row; -1 if there is none. */
  trainedWith(place: number): number {
    return this.trained.at(this.groups.at(place)) - 1;
  }
}

/** Answers beside each other, and the languages in which they and their questions are written. */
class Answers {
  readonly languages = new Map<string | null, number>();
  readonly disagreeing = new SameQuestions();
  readonly unlike = new UnlikeAnswers();
  private readonly judge = openLanguages();
  /** `first`: the place of the first row that asks the same. */
  add(first: number, row: ChatRow): void {
    const { messages } = row;
    const language = this.judge.toLanguage(toAsked(row));
    this.languages.set(language, (this.languages.get(language) ?? 0) + 1);
    const last = messages.findLast(({ role }) => role === 'assistant');
    const answer = readAnswer(last ?? NO_ANSWER);
    this.disagreeing.add(first, row, answer);
    const spoken = answer.form === 'text' ? this.judge.toLanguage(last?.content ?? '') : null;
    const [start] = messages;
    const system = start && isSystem(start) ? (start.content ?? '') : '';
    this.unlike.add(system, answer, spoken, language);
  }
}

/** Near duplicates among the first rows. */
class CloseRows {
  private readonly near = new NearRows();
  private readonly signature = new Uint16Array(LANES);
  private searched = 0;
  constructor(private readonly maxNear: number) {}
  /** A row before it that this one is close to; null: none is known. */
  add(place: number, row: ChatRow): ReturnType<NearRows['add']> {
    if (this.searched >= this.maxNear || !toSignature(toComparedText(row), this.signature)) return null;
    this.searched += 1;
    return this.near.add(place, this.signature, toTaught(toPreferred(row)));
  }
}

/** Rows on both sides that ask the same, or are close. */
class Leaks {
  readonly same = new Groups();
  readonly close = new Groups();
  private readonly sides = new NumberList();
  /** `same`, `close`: places of rows that the row belongs to, or its own. */
  add(place: number, same: number, close: number, side: number): void {
    this.sides.push(side);
    this.same.add(place, same, side);
    this.close.add(place, close, side);
  }
  /** Reports them, and gives the share that is done. */
  *find(report: Report): Generator<number, void> {
    const { length } = this.sides;
    for (let place = 0; place < length; place += 1) {
      if (place % STEP_ROWS === 0) yield place / length;
      if (this.sides.at(place) !== VALIDATION) continue;
      const exact = this.same.trainedWith(place);
      const close = exact < 0 ? this.close.trainedWith(place) : -1;
      if (exact >= 0) report.add('leak', place, exact, null);
      else if (close >= 0) report.add('near-leak', place, close, null);
    }
  }
}

export function openFindings({ context, maxRows = MAX_ROWS, maxNear = MAX_NEAR }: FindingOptions): Findings {
  const report = new Report(maxRows);
  const lengths = new NumberList();
  const contents = new FirstPlaces();
  const questions = new FirstPlaces();
  const answers = new Answers();
  const closeRows = new CloseRows(maxNear);
  const leaks = new Leaks();

  /** The place of the row that this one is close to, or its own. Exact copies are no near ones. */
  function addClose(place: number, content: number, row: ChatRow): number {
    if (content !== place) return leaks.close.groupOf(content);
    const close = closeRows.add(place, row);
    if (!close) return place;
    report.add('near-duplicate', place, close.row, `About ${Math.round(close.similarity * 100)} % the same.`);
    return close.row;
  }

  return {
    add({ id, row, hash, question, side, tokens }) {
      const place = report.addRow(id);
      lengths.push(countCharacters(row));
      for (const fault of findRowFaults(row)) report.add(fault.id, place, null, fault.note);
      if (context !== null && tokens !== null && tokens > context)
        report.add('too-long', place, null, `${tokens.toLocaleString('en')} tokens.`);
      const content = contents.add(place, hash);
      if (content !== place) report.add('duplicate', place, content, null);
      const first = questions.add(place, question);
      answers.add(first, row);
      leaks.add(place, first, addClose(place, content, row), SIDES.indexOf(side));
    },
    *finish() {
      yield 0;
      for (const { id, place, other } of answers.disagreeing.toDisagreements()) report.add(id, place, other, null);
      yield 0.2;
      for (const { place, note } of answers.unlike.find()) report.add('unlike-answer', place, null, note);
      for (const share of leaks.find(report)) yield 0.4 + share * 0.4;
      const bounds = toBounds(lengths.toArray());
      yield 0.9;
      if (bounds) for (const { id, place, note } of findOutliers(lengths, bounds)) report.add(id, place, null, note);
      yield 1;
    },
    toFindings: () => report.toFindings(),
    rowsOf: (id) => report.of(id).ids.toArray(),
    othersOf: (id) => report.of(id).others.toArray(),
    languages: answers.languages,
  };
}
