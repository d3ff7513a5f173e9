// Titles of sessions and forks, one line each. Pure.
import type { Desk } from './desk.ts';

const MAX_TITLE = 80;
export const UNTITLED = 'New session';

/** The text as one line, short enough for a list; empty for blank text. */
export function toTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line.slice(0, MAX_TITLE * 2 + 2));
  return characters.length > MAX_TITLE
    ? `${characters
        .slice(0, MAX_TITLE - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** The session's title, as the list of sessions shows it. */
export function toDeskTitle({ title = '', panes, parked }: Desk): string {
  const first = [...panes, ...parked]
    .flatMap((pane) => pane.turns)
    .find((turn) => turn.role === 'user' && turn.content.trim() !== '');
  return toTitle(title) || (first?.role === 'user' ? toTitle(first.content) : '') || UNTITLED;
}

/**
 * "Title (fork)", "Title (fork 2)" and so on: the first unused one. A fork of a fork counts as a fork of the original
 * title.
 */
export function toForkTitle(title: string, taken: readonly string[]): string {
  const base = toTitle(title).replace(/ \(fork(?: \d+)?\)$/, '');
  for (let count = 1; ; count += 1) {
    const mark = count === 1 ? ' (fork)' : ` (fork ${count})`;
    const characters = Array.from(base);
    const room = MAX_TITLE - mark.length;
    const fork = `${
      characters.length > room
        ? `${characters
            .slice(0, room - 1)
            .join('')
            .trimEnd()}…`
        : base
    }${mark}`;
    if (!taken.includes(fork)) return fork;
  }
}
