// Rows that ask the same: whether their answers can all be right, and which are against the majority. Pure.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { isComparison } from '#core/rows/preferenceRows.ts';
import type { ReadAnswer } from './answerForm.ts';
import { NumberList } from './numberLists.ts';

const NONE = 0;
/** A label, JSON or a call: others are another answer. */
const EXACT = 1;
/** Free text can say the same in other words. */
const FREE = 2;

/** Pairs have several answers to one prompt on purpose. */
const isAnswered = (row: ChatRow, { form }: ReadAnswer): boolean => !isComparison(row) && form !== 'none';

export interface Disagreement {
  readonly id: 'contradiction' | 'several-answers' | 'outvoted';
  readonly place: number;
  /** The first row of the question with another answer. */
  readonly other: number;
}

export class SameQuestions {
  private readonly kinds = new NumberList();
  private readonly answers = new NumberList();
  private readonly facts = new NumberList();
  /** The places of the rows of questions that more than one row asks, by the first of them. */
  private readonly groups = new Map<number, number[]>();

  /** The next row. `first`: the place of the first row that asks the same. */
  add(first: number, row: ChatRow, answer: ReadAnswer): void {
    const place = this.kinds.length;
    const isFree = answer.form === 'text' || answer.form === 'json-in-text';
    this.kinds.push(isAnswered(row, answer) ? (isFree ? FREE : EXACT) : NONE);
    this.answers.push(answer.key);
    this.facts.push(answer.facts);
    if (first === place) return;
    const group = this.groups.get(first);
    if (group) group.push(place);
    else this.groups.set(first, [first, place]);
  }

  /** The rows of one question, in order, of which at least two have different answers. */
  private *findInGroup(places: readonly number[]): Generator<Disagreement> {
    const answered = places.filter((place) => this.kinds.at(place) !== NONE);
    const [first] = answered;
    if (first === undefined) return;
    const differs = (one: number, other: number): boolean => this.answers.at(one) !== this.answers.at(other);
    const second = answered.find((place) => differs(place, first));
    if (second === undefined) return;
    const isSame = answered.every(
      (place) => this.kinds.at(place) === FREE && this.facts.at(place) === this.facts.at(first),
    );
    const id = isSame ? 'several-answers' : 'contradiction';
    for (const place of answered) yield { id, place, other: differs(place, first) ? first : second };
    if (isSame) return;
    const majority = this.findMajority(answered);
    if (majority === null) return;
    for (const place of answered) if (differs(place, majority)) yield { id: 'outvoted', place, other: majority };
  }

  /** The first row with the answer of more than half of the rows, if at least two have it; null if there is none. */
  private findMajority(places: readonly number[]): number | null {
    const votes = new Map<number, number>();
    for (const place of places) votes.set(this.answers.at(place), (votes.get(this.answers.at(place)) ?? 0) + 1);
    const [answer] = [...votes].find(([, count]) => count >= 2 && count * 2 > places.length) ?? [];
    return places.find((place) => this.answers.at(place) === answer) ?? null;
  }

  /** All rows that disagree with others, in the order of their places. */
  toDisagreements(): readonly Disagreement[] {
    const all: Disagreement[] = [];
    for (const places of this.groups.values()) for (const each of this.findInGroup(places)) all.push(each);
    return all.sort((a, b) => a.place - b.place);
  }
}
