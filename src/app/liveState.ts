// What the header says about how fresh the project is. Pure: times come in.
import { formatAge } from '../ui/format';

export interface LiveInput {
  readonly hasData: boolean;
  /** Unix ms of the last good answer; 0: none yet. */
  readonly dataUpdatedAt: number;
  /** Why the last request failed; null when it did not. */
  readonly problem: string | null;
  readonly now: number;
}

export interface LiveState {
  readonly tone: 'live' | 'stale' | 'loading';
  readonly text: string;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** "live · 2 s ago", "offline since 14:02:10", "loading". */
export function toLiveState({ hasData, dataUpdatedAt, problem, now }: LiveInput): LiveState {
  if (problem !== null) {
    return { tone: 'stale', text: dataUpdatedAt > 0 ? `offline since ${CLOCK.format(dataUpdatedAt)}` : 'no connection' };
  }
  if (!hasData) return { tone: 'loading', text: 'loading' };
  return { tone: 'live', text: `live · ${formatAge(Math.max(0, now - dataUpdatedAt))}` };
}
