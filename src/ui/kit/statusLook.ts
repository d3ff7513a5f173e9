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

export type Tone = 'success' | 'running' | 'warning' | 'deploying' | 'error' | 'neutral';

export interface StatusLook {
  readonly tone: Tone;
  readonly Icon: LucideIcon;
  readonly isMoving: boolean;
}

const LOOKS: Record<KnownStatus, StatusLook> = {
  pending: { tone: 'warning', Icon: CircleDashed, isMoving: false },
  queued: { tone: 'warning', Icon: Clock, isMoving: false },
  running: { tone: 'running', Icon: LoaderCircle, isMoving: true },
  deploying: { tone: 'deploying', Icon: ArrowUpToLine, isMoving: false },
  processing: { tone: 'running', Icon: LoaderCircle, isMoving: true },
  succeeded: { tone: 'success', Icon: Check, isMoving: false },
  completed: { tone: 'success', Icon: Check, isMoving: false },
  failed: { tone: 'error', Icon: X, isMoving: false },
  stopped: { tone: 'neutral', Icon: CircleStop, isMoving: false },
  deleted: { tone: 'neutral', Icon: Trash2, isMoving: false },
};

const UNKNOWN: StatusLook = { tone: 'neutral', Icon: CircleHelp, isMoving: false };

/** The look of any status; an unknown one is neutral. A run that goes on without a loss looks as one that failed. */
export function toStatusLook(status: string, cause: string | null = null): StatusLook {
  if (status === 'running' && cause === 'diverged') return LOOKS.failed;
  return isKnownStatus(status) ? LOOKS[status] : UNKNOWN;
}

/** Class names are whole, so that Tailwind finds them. */
export const TONE_CLASSES: Record<Tone, string> = {
  success: 'text-success bg-success-soft',
  running: 'text-running bg-running-soft',
  warning: 'text-warning bg-warning-soft',
  deploying: 'text-deploying bg-deploying-soft',
  error: 'text-error bg-error-soft',
  neutral: 'text-neutral bg-neutral-soft',
};
