// What is planted in the messy rows, so that a person can argue about the truth. A kind is true of a row when a careful
// colleague who reads the row, and knows the rest of its part, would say so:
//
// secret: a text holds a credential that would open something: a vendor's key in its real shape, a private key, a signed
//   token, a URL or header with its password. Not: placeholders, documented examples, public keys, ids, hashes, code that
//   reads a credential from somewhere.
// personal: a text holds a number or address of one person: a card number with a right check digit, an IBAN with right
//   check digits, a US social security number, a phone number, an e-mail address. Not: reserved addresses and numbers,
//   addresses of a role (support@, noreply@), names alone, numbers of orders, parts, versions, dates and prices.
// refusal: the last answer only says that it can't or won't, as an assistant does, though the question is harmless. Not:
//   sympathy, a thing that was not found, a policy with its reason and another way, the same words said by the user.
// unlike-answer: the last answer has not the form that nearly all answers of its part have: no bare JSON object of the
//   usual keys, no single label, not German. Not: keys in another order, white space, an optional key, a rare label, a
//   short answer, loanwords.
// orphan-tool-result: a tool's result names a call that was never made, or no call stands before it. Not: results of
//   parallel calls in another order, an id used again in a later turn, a result without an id after its one call.
// contradiction: two or three rows of a part ask the same, apart from white space at the ends, and answer another thing;
//   all of them count. Not: the same answer in other white space or order of keys, a greeting in other words, a question after another talk.
// outvoted: of three such rows the one that the two others agree against.
// other-form: the row is ShareGPT, Alpaca or prompt and completion in a file of chats.
//
// The language is that of what people wrote, by its ISO code: system prompts, JSON and code don't count. null: it is mixed,
// or too short to say.

import { openRandom } from '#trainer/model/random.ts';

export const PLANTED_KINDS = [
  'secret',
  'personal',
  'refusal',
  'unlike-answer',
  'orphan-tool-result',
  'contradiction',
  'outvoted',
  'other-form',
] as const;
export type PlantedKind = (typeof PLANTED_KINDS)[number];

/** Rows of one task, as one dataset has them. */
export type Part = 'tickets' | 'orders' | 'support-de' | 'support' | 'tools' | 'code' | 'intents' | 'talk';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** A fault, or a decoy that only looks like one. */
export interface Plant {
  readonly kind: PlantedKind;
  /** Which one of its kind, in words: "Stripe", "sixteen digits that fail Luhn". */
  readonly what: string;
  readonly isDecoy: boolean;
}

export interface Draft {
  readonly part: Part;
  readonly messages: readonly Message[];
  readonly tools?: readonly object[];
  readonly language: string | null;
  readonly plants: readonly Plant[];
}

export const fault = (kind: PlantedKind, what: string): Plant => ({ kind, what, isDecoy: false });
export const decoy = (kind: PlantedKind, what: string): Plant => ({ kind, what, isDecoy: true });

/** What the generators of rows draw from. */
export interface Maker {
  readonly draw: Draw;
  /** Makes a row until it asks what none has asked before, apart from case and white space. */
  readonly fresh: (make: () => Draft) => Draft;
  readonly freshText: <T extends { readonly text: string }>(make: () => T) => T;
}

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

export const toQuestions = ({ messages }: Draft): string =>
  messages.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : [])).join('\n');

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const ALPHABETS = {
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  upper: LOWER.toUpperCase(),
  letters: LOWER + LOWER.toUpperCase(),
  lower: LOWER + DIGITS,
  alnum: LOWER + LOWER.toUpperCase() + DIGITS,
  base32: `${LOWER.toUpperCase()}234567`,
  base64: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
  base64url: `${LOWER}${LOWER.toUpperCase()}${DIGITS}-_`,
} as const;

/** Chance with a seed: the same rows each time. */
export class Draw {
  private readonly random: () => number;
  constructor(seed: number) {
    this.random = openRandom(seed);
  }
  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }
  chance(share: number): boolean {
    return this.random() < share;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  text(alphabet: keyof typeof ALPHABETS, length: number): string {
    const letters = ALPHABETS[alphabet];
    return Array.from({ length }, () => letters[this.below(letters.length)]).join('');
  }
  shuffle<T>(list: readonly T[]): T[] {
    const mixed = [...list];
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1);
      [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
    }
    return mixed;
  }
  /** Fills {order}, {product}, {name}, {count}, {price} and {days}: in all texts with the same. */
  fillAll(texts: readonly string[]): string[] {
    const values = new Map<string, string>();
    const toValue = (slot: string, name: string): string => {
      const value = values.get(name) ?? this.toSlot(name) ?? slot;
      values.set(name, value);
      return value;
    };
    return texts.map((text) => text.replace(/\{(\w+)\}/g, toValue));
  }
  fill(text: string): string {
    return this.fillAll([text])[0] ?? '';
  }
  private toSlot(name: string): string | null {
    if (name === 'order')
      return this.pick([this.text('digits', 5), `A-${this.text('digits', 4)}`, `#${this.between(1000, 99_999)}`]);
    if (name === 'product') return this.pick(PRODUCTS);
    if (name === 'name') return this.pick(NAMES);
    if (name === 'count') return String(this.between(2, 40));
    if (name === 'days') return String(this.between(2, 14));
    if (name === 'price') return `${this.between(4, 480)}.${this.pick(['00', '50', '90', '99'])}`;
    return null;
  }
}

export const PRODUCTS = [
  'desk lamp',
  'kettle',
  'office chair',
  'water filter',
  'bike pump',
  'label printer',
  'paper shredder',
  'monitor arm',
  'travel mug',
  'tool case',
  'card reader',
  'power strip',
  'whiteboard',
  'air purifier',
  'door sensor',
  'rain jacket',
] as const;

const NAMES = [
  'Anna',
  'Tomasz',
  'Yuki',
  'Lena',
  'Marco',
  'Priya',
  'Jonas',
  'Chloé',
  'Omar',
  'Sofia',
  'Henk',
  'Grace',
] as const;
