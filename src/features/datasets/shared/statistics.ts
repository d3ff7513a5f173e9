// Statistics of rows in one pass. Those of parts can be added, so that workers and pages of rows can be counted apart.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { NO_ANSWERS, openAnswers, toAnswer, toAnswerShape, type AnswerCounts } from './answerShape.ts';
import type { ChatRow, RowRole } from '#core/rows/chatRow.ts';
import { toContentHash } from './contentHash.ts';
import { NO_LENGTHS, openLengths, type Lengths } from './lengths.ts';
import { countCharacters, findCalls } from '#core/rows/rowCalls.ts';
import { toMainScript, type Script } from './scripts.ts';

interface ToolUse {
  readonly name: string;
  /** Rows that declare the tool. */
  readonly declared: number;
  /** Calls in answers. */
  readonly called: number;
}

interface SystemPrompt {
  /** Its start. */
  readonly text: string;
  readonly rows: number;
}

/** Plain JSON. Lists are ordered by their counts, then by name. */
export interface RowStatistics {
  readonly rows: number;
  readonly messages: number;
  /** UTF-16 units of texts and calls. */
  readonly characters: Lengths;
  /** Only of rows whose tokens were counted. */
  readonly tokens: Lengths;
  readonly roles: readonly { readonly role: RowRole; readonly messages: number }[];
  /** Rows by the script of most of their letters; null: too few letters. */
  readonly scripts: readonly { readonly script: Script | null; readonly rows: number }[];
  readonly tools: readonly ToolUse[];
  readonly rowsWithTools: number;
  readonly rowsWithCalls: number;
  /** The first system prompts of rows that differ; `otherSystems`: rows with one that is not listed. */
  readonly systems: readonly SystemPrompt[];
  readonly otherSystems: number;
  readonly rowsWithoutSystem: number;
  readonly answers: AnswerCounts;
}

export const NO_STATISTICS: RowStatistics = {
  rows: 0,
  messages: 0,
  characters: NO_LENGTHS,
  tokens: NO_LENGTHS,
  roles: [],
  scripts: [],
  tools: [],
  rowsWithTools: 0,
  rowsWithCalls: 0,
  systems: [],
  otherSystems: 0,
  rowsWithoutSystem: 0,
  answers: NO_ANSWERS,
};

/** Hostile rows may have any number of names and prompts. */
const MAX_TOOLS = 500;
const MAX_SYSTEMS = 50;
const NAME_CHARACTERS = 100;
const SYSTEM_CHARACTERS = 500;
/** Longer answers are told apart by their hash. */
const ANSWER_CHARACTERS = 64;

export interface StatisticsCounter {
  /** `tokens`: of the whole row by the base model's template, if they were counted. */
  add(row: ChatRow, tokens?: number): void;
  addAll(part: RowStatistics): void;
  toStatistics(): RowStatistics;
}

class Counts<Key> {
  readonly counts = new Map<Key, number>();
  add(key: Key, by = 1): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + by);
  }
  toList(): (readonly [Key, number])[] {
    return [...this.counts].sort(([a, x], [b, y]) => y - x || (String(a) < String(b) ? -1 : 1));
  }
}

class ToolCounts {
  private readonly uses = new Map<string, { declared: number; called: number }>();
  add(name: string, declared: number, called: number): void {
    const short = name.slice(0, NAME_CHARACTERS);
    const use = this.uses.get(short);
    if (use) {
      use.declared += declared;
      use.called += called;
    } else if (this.uses.size < MAX_TOOLS) this.uses.set(short, { declared, called });
  }
  toList(): ToolUse[] {
    return [...this.uses]
      .map(([name, use]) => Object.assign({ name }, use))
      .sort((a, b) => b.called - a.called || b.declared - a.declared || (a.name < b.name ? -1 : 1));
  }
}

/** All texts of a row but its system prompt, which would outweigh them. */
const toSpoken = ({ messages }: ChatRow): string =>
  messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ content }) => content ?? '')
    .join('\n');

const toAnswerName = (text: string): string => (text.length > ANSWER_CHARACTERS ? toContentHash(text) : text);

export function openStatistics(): StatisticsCounter {
  const characters = openLengths();
  const tokenLengths = openLengths();
  const answers = openAnswers(toAnswerName);
  const roles = new Counts<RowRole>();
  const scripts = new Counts<Script | null>();
  const systems = new Counts<string>();
  const tools = new ToolCounts();
  const sums = { rows: 0, messages: 0, rowsWithTools: 0, rowsWithCalls: 0, otherSystems: 0, rowsWithoutSystem: 0 };

  function addSystem(text: string, rows: number): void {
    if (systems.counts.has(text) || systems.counts.size < MAX_SYSTEMS) systems.add(text, rows);
    else sums.otherSystems += rows;
  }

  function addCalls(row: ChatRow): void {
    let calls = 0;
    for (const message of row.messages) {
      for (const { name } of findCalls(message)) {
        calls += 1;
        if (name !== '') tools.add(name, 0, 1);
      }
    }
    if (calls > 0) sums.rowsWithCalls += 1;
    for (const tool of row.tools ?? []) tools.add(tool.function.name, 1, 0);
    if (row.tools) sums.rowsWithTools += 1;
  }

  return {
    add(row, tokens) {
      const { messages } = row;
      sums.rows += 1;
      sums.messages += messages.length;
      characters.add(countCharacters(row));
      if (tokens !== undefined) tokenLengths.add(tokens);
      for (const { role } of messages) roles.add(role);
      addCalls(row);
      const [first] = messages;
      const isSystem = first?.role === 'system' || first?.role === 'developer';
      if (isSystem) addSystem((first.content ?? '').slice(0, SYSTEM_CHARACTERS), 1);
      else sums.rowsWithoutSystem += 1;
      scripts.add(toMainScript(toSpoken(row)));
      answers.add(toAnswer(messages));
    },
    addAll(part) {
      for (const name of ['rows', 'messages', 'rowsWithTools', 'rowsWithCalls', 'rowsWithoutSystem'] as const)
        sums[name] += part[name];
      sums.otherSystems += part.otherSystems;
      characters.addAll(part.characters);
      tokenLengths.addAll(part.tokens);
      for (const { role, messages } of part.roles) roles.add(role, messages);
      for (const { script, rows } of part.scripts) scripts.add(script, rows);
      for (const { name, declared, called } of part.tools) tools.add(name, declared, called);
      for (const { text, rows } of part.systems) addSystem(text, rows);
      answers.addAll(part.answers);
    },
    toStatistics: () => ({
      ...sums,
      characters: characters.toLengths(),
      tokens: tokenLengths.toLengths(),
      roles: roles.toList().map(([role, messages]) => ({ role, messages })),
      scripts: scripts.toList().map(([script, rows]) => ({ script, rows })),
      tools: tools.toList(),
      systems: systems.toList().map(([text, rows]) => ({ text, rows })),
      answers: answers.toCounts(),
    }),
  };
}

/** The shape of the answers of these rows; null if there are no rows. */
export function toShape({ answers, rows }: RowStatistics): AnswerShape | null {
  return rows === 0 ? null : toAnswerShape(answers, rows);
}
