// What is counted of rows, in one pass.
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toAllMessages } from '#core/rows/preferenceRows.ts';
import { countCharacters } from '#core/rows/rowCalls.ts';
import type { Statistics } from './contract/rows.ts';
import { openLengths } from './lengths.ts';

/** What is counted of the rows alone, without their marks. Languages: see findings/languages.ts. */
export type CountedRows = Pick<Statistics, 'rows' | 'characters' | 'messages' | 'roles' | 'tools'>;

export interface StatisticsCounter {
  add(row: ChatRow): void;
  toCounts(): CountedRows;
}

/** Hostile rows may have any number of names. */
const MAX_TOOLS = 500;
const NAME_CHARACTERS = 100;

class Counts {
  private readonly counts = new Map<string, number>();
  constructor(private readonly most = Infinity) {}

  add(name: string): void {
    const count = this.counts.get(name);
    if (count !== undefined || this.counts.size < this.most) this.counts.set(name, (count ?? 0) + 1);
  }

  /** The most frequent ones first, then by name. */
  toList(): { name: string; count: number }[] {
    return Array.from(this.counts, ([name, count]) => ({ name, count })).sort(
      (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
    );
  }
}

export function openStatistics(): StatisticsCounter {
  let rows = 0;
  const characters = openLengths();
  const messageCounts = new Counts();
  const roles = new Counts();
  const tools = new Counts(MAX_TOOLS);
  return {
    add(row) {
      const messages = toAllMessages(row);
      rows += 1;
      characters.add(countCharacters(row));
      messageCounts.add(String(messages.length));
      for (const { role } of messages) roles.add(role);
      for (const tool of row.tools ?? []) tools.add(tool.function.name.slice(0, NAME_CHARACTERS));
    },
    toCounts: () => ({
      rows,
      characters: characters.toFigures(),
      messages: messageCounts.toList().sort((a, b) => Number(a.name) - Number(b.name)),
      roles: roles.toList(),
      tools: tools.toList(),
    }),
  };
}
