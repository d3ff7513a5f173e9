// Tone and icon of every status that SPEC names. A new status is a compile error here.
import {
  ArrowUpToLine,
  Check,
  CircleDashed,
  CircleHelp,
  CircleStop,
  Clock,
  LoaderCircle,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react';
import { isKnownStatus, type KnownStatus } from '#core/contract/statuses.ts';

export type Tone = 'ok' | 'run' | 'wait' | 'dep' | 'bad' | 'off';

export interface StatusLook {
  readonly tone: Tone;
  readonly Icon: LucideIcon;
  readonly isMoving: boolean;
}

const LOOKS: Record<KnownStatus, StatusLook> = {
  pending: { tone: 'wait', Icon: CircleDashed, isMoving: false },
  queued: { tone: 'wait', Icon: Clock, isMoving: false },
  running: { tone: 'run', Icon: LoaderCircle, isMoving: true },
  deploying: { tone: 'dep', Icon: ArrowUpToLine, isMoving: false },
  processing: { tone: 'run', Icon: LoaderCircle, isMoving: true },
  succeeded: { tone: 'ok', Icon: Check, isMoving: false },
  completed: { tone: 'ok', Icon: Check, isMoving: false },
  failed: { tone: 'bad', Icon: X, isMoving: false },
  stopped: { tone: 'off', Icon: CircleStop, isMoving: false },
  deleted: { tone: 'off', Icon: Trash2, isMoving: false },
};

const UNKNOWN: StatusLook = { tone: 'off', Icon: CircleHelp, isMoving: false };

/** The look of any status; an unknown one is neutral. A run that goes on without a loss looks as one that failed. */
export function toStatusLook(status: string, cause: string | null = null): StatusLook {
  if (status === 'running' && cause === 'diverged') return LOOKS.failed;
  return isKnownStatus(status) ? LOOKS[status] : UNKNOWN;
}

/** Class names are whole, so that Tailwind finds them. */
export const TONE_CLASSES: Record<Tone, string> = {
  ok: 'text-ok bg-ok-soft',
  run: 'text-run bg-run-soft',
  wait: 'text-wait bg-wait-soft',
  dep: 'text-dep bg-dep-soft',
  bad: 'text-bad bg-bad-soft',
  off: 'text-off bg-off-soft',
};
