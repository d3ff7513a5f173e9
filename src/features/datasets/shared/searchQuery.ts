// The query of the rows table: words, phrases and fields. A row matches if all terms do.
import { toAllMessages } from '#core/rows/preferenceRows.ts';
import { failRead, type Read } from '#core/contract/readJson.ts';
import type { ChatRow, RowRole } from '#core/rows/chatRow.ts';
import { countCharacters, findCalls } from '#core/rows/rowCalls.ts';
import type { Side } from './split.ts';

/** What a query may ask about a row. */
export interface SearchFacts {
  readonly row: ChatRow;
  readonly tags: readonly string[];
  /** Ids of findings. */
  readonly findings: readonly string[];
  /** null: no side was decided. */
  readonly side: Side | null;
  /** null: not counted. */
  readonly tokens: number | null;
  readonly isAside: boolean;
  readonly isEdited: boolean;
}

export interface Matcher {
  /**
   * False if a row can't match, by its text (JSON in the normal form) alone. It is quick, so most rows need not be
   * parsed.
   */
  mayMatch(text: string): boolean;
  matches(facts: SearchFacts): boolean;
  /** The folded words to mark in texts. */
  readonly words: readonly string[];
  /** Ids of findings that are asked for. `isNot`: by rows that don't have them. */
  readonly findings: readonly { readonly id: string; readonly isNot: boolean }[];
}

const FIELDS = ['tag', 'role', 'tool', 'finding', 'length', 'tokens', 'messages', 'side', 'is'] as const;
type Field = (typeof FIELDS)[number] | RowRole;
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
/** `tool:` asks for a tool's name, so texts of the role `tool` have no field. */
const TEXT_ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant']);

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name) || TEXT_ROLES.has(name);

const MAX_QUERY = 1000;
const MAX_TERMS = 50;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * A text without case: `Straße` and `STRASSE` become equal. It works character by character, so a part of a text has
 * the same fold alone.
 */
export function toFolded(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  // The final sigma depends on what follows.
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

interface Term {
  readonly isNot: boolean;
  readonly field: Field | null;
  readonly value: string;
}

/** A minus, a field, and a phrase in quotes or a word. A quote that is never closed goes to the end. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gy;

function parseTerms(query: string): Term[] {
  const terms: Term[] = [];
  const text = query.trim();
  let at = 0;
  while (at < text.length && terms.length <= MAX_TERMS) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    if (!match) return [...terms, { isNot: false, field: null, value: text.slice(at) }];
    at = TERM.lastIndex;
    const [whole, minus, name = '', phrase, word = ''] = match;
    const value = phrase ?? word;
    const bare = name === '' && word.endsWith(':') ? word.slice(0, -1) : '';
    if (isField(bare)) terms.push({ isNot: false, field: bare, value: '' });
    else if (isField(name)) terms.push({ isNot: minus === '-', field: name, value });
    else {
      // A name that is no field is text, such as `https://...`.
      const isNot = minus === '-' && whole !== '-';
      const plain = name === '' ? value : `${name}:${value}`;
      if (plain !== '') terms.push({ isNot, field: null, value: isNot || minus === '' ? plain : whole });
    }
  }
  return terms;
}

type Test = (facts: SearchFacts) => boolean;

const RANGE = /^(?:(<=?|>=?)(\d{1,15})|(\d{1,15})(?:(?:\.\.|-)(\d{1,15}))?)$/;

/** `>500`, `<=20`, `100-200`, `7` -> a test of a number; null if it is none of them. */
function parseRange(value: string): ((number: number) => boolean) | null {
  const match = RANGE.exec(value);
  if (!match) return null;
  const [, sign, bound, from, to] = match;
  const limit = Number(bound);
  if (sign === '<') return (number) => number < limit;
  if (sign === '<=') return (number) => number <= limit;
  if (sign === '>') return (number) => number > limit;
  if (sign === '>=') return (number) => number >= limit;
  const [low, high] = [Number(from), Number(to ?? from)];
  return (number) => number >= low && number <= high;
}

function hasText({ row }: SearchFacts, needle: string, role: string | null): boolean {
  return toAllMessages(row).some((message) => {
    if (role !== null && message.role !== role) return false;
    if (toFolded(message.content ?? '').includes(needle)) return true;
    return (message.tool_calls ?? []).some(
      ({ function: called }) => toFolded(called.name).includes(needle) || toFolded(called.arguments).includes(needle),
    );
  });
}

function hasTool({ row }: SearchFacts, needle: string): boolean {
  const isNamed = (name: string): boolean => toFolded(name) === needle;
  return (
    (row.tools ?? []).some((tool) => isNamed(tool.function.name)) ||
    toAllMessages(row).some((message) => findCalls(message).some(({ name }) => isNamed(name)))
  );
}

const COUNTS: Readonly<Record<'length' | 'tokens' | 'messages', (facts: SearchFacts) => number | null>> = {
  length: ({ row }) => countCharacters(row),
  tokens: ({ tokens }) => tokens,
  messages: ({ row }) => toAllMessages(row).length,
};

function toCountTest(field: keyof typeof COUNTS, value: string): Read<Test> {
  const isIn = parseRange(value);
  if (!isIn)
    return failRead(
      `"${field}:${value.slice(0, 40)}" is no range. Write ${field}:>500, ${field}:<=20 or ${field}:100-200.`,
    );
  return {
    ok: true,
    value: (facts) => {
      const count = COUNTS[field](facts);
      return count !== null && isIn(count);
    },
  };
}

function toChoiceTest(field: 'side' | 'is' | 'role', value: string): Read<Test> {
  const choices: Readonly<Record<string, Test>> =
    field === 'side'
      ? {
          training: ({ side }) => side === 'training',
          validation: ({ side }) => side === 'validation',
        }
      : field === 'is'
        ? { aside: ({ isAside }) => isAside, edited: ({ isEdited }) => isEdited }
        : Object.fromEntries([...ROLES].map((role) => [role, (facts: SearchFacts) => hasRole(facts, role)]));
  const name = value.toLowerCase();
  const test = Object.hasOwn(choices, name) ? choices[name] : undefined;
  return test
    ? { ok: true, value: test }
    : failRead(`"${field}:${value.slice(0, 40)}" is not known. Write one of ${Object.keys(choices).join(', ')}.`);
}

const hasRole = ({ row }: SearchFacts, role: string): boolean =>
  toAllMessages(row).some((message) => message.role === role);

function toTest({ field, value }: Term): Read<Test> {
  const needle = toFolded(value);
  switch (field) {
    case null:
      return { ok: true, value: (facts) => hasText(facts, needle, null) };
    case 'tag':
      return { ok: true, value: ({ tags }) => tags.some((tag) => toFolded(tag) === needle) };
    case 'finding':
      return { ok: true, value: ({ findings }) => findings.includes(needle) };
    case 'tool':
      return { ok: true, value: (facts) => hasTool(facts, needle) };
    case 'length':
    case 'tokens':
    case 'messages':
      return toCountTest(field, value);
    case 'side':
    case 'is':
    case 'role':
      return toChoiceTest(field, value);
    default:
      return { ok: true, value: (facts) => hasText(facts, needle, field) };
  }
}

/** A needle as it stands in the folded JSON text of a row. */
const toJsonNeedle = (value: string): string => toFolded(JSON.stringify(value).slice(1, -1));

const isTextTerm = ({ isNot, field }: Term): boolean => !isNot && (field === null || TEXT_ROLES.has(field));
/** A call in a text may spell other characters of a name as escapes. Letters and digits are not escaped by any writer of JSON. */
const PLAIN_NAME = /^[\w.-]+$/;
const narrows = (term: Term): boolean =>
  isTextTerm(term) || (term.field === 'tool' && !term.isNot && PLAIN_NAME.test(term.value));

/**
 * Reads a query: `refund "not arrived" -spam user:hello tag:good role:tool tool:get_order finding:duplicate
 * length:>500 tokens:100-200 messages:2 side:validation is:aside`. A minus before a term turns it round. An error says
 * what to write instead.
 */
export function toMatcher(query: string): Read<Matcher> {
  if (query.length > MAX_QUERY) return failRead(`The query is longer than ${MAX_QUERY} characters. Make it shorter.`);
  // Half a character is in no text as it is stored.
  const terms = parseTerms(query.toWellFormed());
  if (terms.length > MAX_TERMS) return failRead(`The query has more than ${MAX_TERMS} terms. Use fewer.`);
  const tests: Test[] = [];
  for (const term of terms) {
    if (term.value === '')
      return failRead(`Nothing follows "${term.field}:". Write what to look for, without a space.`);
    const test = toTest(term);
    if (!test.ok) return test;
    tests.push(term.isNot ? (facts) => !test.value(facts) : test.value);
  }
  const needles = terms.filter(narrows).map(({ value }) => toJsonNeedle(value));
  const isAnyText = needles.length === 0;
  return {
    ok: true,
    value: {
      mayMatch(text) {
        if (isAnyText) return true;
        const folded = toFolded(text);
        return needles.every((needle) => folded.includes(needle));
      },
      matches: (facts) => tests.every((test) => test(facts)),
      words: terms.filter(isTextTerm).map(({ value }) => toFolded(value)),
      findings: terms
        .filter(({ field }) => field === 'finding')
        .map(({ value, isNot }) => ({ id: toFolded(value), isNot })),
    },
  };
}
