// What the header says about how fresh the project is. Pure: times come in.
import { formatAge, formatClock } from '#ui/kit/format.ts';

export interface LiveInput {
  readonly hasData: boolean;
  /** Unix ms of the last good answer; 0: none yet. */
  readonly dataUpdatedAt: number;
  /** How the last request failed: not answered at all, or answered with an error; null when it did not. */
  readonly problem: 'network' | 'answer' | null;
  readonly now: number;
}

export interface LiveState {
  readonly tone: 'live' | 'stale' | 'loading';
  readonly text: string;
}

/** "updated 2 s ago", "offline since 14:02:10", "stale since …" (the service answers with an error), "loading". */
export function toLiveState({ hasData, dataUpdatedAt, problem, now }: LiveInput): LiveState {
  if (problem !== null) {
    const [since, never] = problem === 'network' ? ['offline', 'no connection'] : ['stale', 'not available'];
    return { tone: 'stale', text: dataUpdatedAt > 0 ? `${since} since ${formatClock(dataUpdatedAt)}` : never };
  }
  if (!hasData) return { tone: 'loading', text: 'loading' };
  return { tone: 'live', text: `updated ${formatAge(Math.max(0, now - dataUpdatedAt))}` };
}

/** What a phone's header has room for: "updated", "offline", "no connection". */
export function toShortText({ text }: LiveState): string {
  return text.split(/ since | (?=\d|now$)/)[0] ?? text;
}
