// Which names of roles in a file are not known, and what each probably means.
import { isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';
import type { RowRole } from '#core/rows/chatRow.ts';
import { findColumn, type RowMapping } from '#core/rows/rowMapping.ts';
import { toRole } from '#core/rows/rowMessages.ts';

type ListMapping = Extract<RowMapping, { kind: 'list' }>;

/** More names say something else than a role. */
export const MAX_ROLE_NAMES = 10;

/** Words of a name, the surest role first: an "agent_bot" answers, a "tool_user" is a tool. */
const WORDS: readonly (readonly [RowRole, RegExp])[] = [
  ['tool', /tool|function|observation|api/],
  ['system', /system|instruct|context/],
  [
    'assistant',
    /assistant|agent|bot|model|support|operator|advis|expert|teacher|tutor|doctor|gpt|llm|\bai\b|answer|repl/,
  ],
  ['user', /user|human|person|people|custom|client|guest|visitor|caller|buyer|student|patient|question|ask|prompt/],
];

const toGuess = (name: string): RowRole | undefined =>
  WORDS.find(([, words]) => words.test(name.toLowerCase().replaceAll('_', ' ')))?.[0];

export const isKnownRole = (name: string): boolean => toRole(name) !== undefined;

/** Whether a name is that of a role, or sounds like one. */
export const isRoleName = (name: string): boolean => isKnownRole(name) || toGuess(name) !== undefined;

/** What names in the order of the file mean. Who speaks first asks, who is not known else answers. */
function guessRoles(names: readonly string[]): ReadonlyMap<string, RowRole> {
  const guessed = new Map(names.map((name) => [name, toRole(name) ?? toGuess(name)]));
  const roles = new Set(guessed.values());
  for (const [name, role] of guessed) {
    const given = role ?? (roles.has('user') ? 'assistant' : 'user');
    roles.add(given);
    guessed.set(name, given);
  }
  return guessed as Map<string, RowRole>;
}

/** The names of roles in lists of messages, in their order. */
function findNames(rows: readonly JsonObject[], { messages, role }: Pick<ListMapping, 'messages' | 'role'>): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    const list = findColumn(row, messages);
    for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
      const name = isObject(entry) ? ownField(entry, role) : undefined;
      if (typeof name === 'string' && names.size <= MAX_ROLE_NAMES) names.add(name);
    }
  }
  return [...names];
}

/** Names of roles in these rows that a mapping must give a meaning; none where they are too many to be roles. */
export function findOwnNames(rows: readonly JsonObject[], mapping: RowMapping | null): readonly string[] {
  if (mapping?.kind !== 'list') return [];
  const names = findNames(rows, mapping);
  return names.length > MAX_ROLE_NAMES ? [] : names.filter((name) => !isKnownRole(name));
}

/** The mapping with a meaning of each of these rows' names: the one that was chosen, or else a guess. */
export function withRoles(rows: readonly JsonObject[], mapping: RowMapping | null): RowMapping | null {
  const own = findOwnNames(rows, mapping);
  if (mapping?.kind !== 'list' || own.length === 0) return mapping;
  const guessed = guessRoles(findNames(rows, mapping));
  const roles = Object.fromEntries(own.map((name) => [name, guessed.get(name) ?? ('user' as const)]));
  return { ...mapping, roles: { ...roles, ...mapping.roles } };
}
