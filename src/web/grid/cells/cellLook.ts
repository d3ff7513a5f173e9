// How the state of a cell is said: word, icon, colour. Whole class names, so that Tailwind finds them.
import {
  Check,
  CircleDashed,
  CircleHelp,
  History,
  LoaderCircle,
  MessageSquareText,
  TriangleAlert,
  X,
  type LucideIcon,
} from 'lucide-react';
import { isEarlier, type CellVerdict, type GridCell } from './gridBook.ts';

export interface CellLook {
  readonly word: string;
  readonly Icon: LucideIcon;
  readonly tone: string;
  readonly isMoving: boolean;
}

const look = (word: string, Icon: LucideIcon, tone: string, isMoving = false): CellLook => ({
  word,
  Icon,
  tone,
  isMoving,
});

const WAITING = look('waiting', CircleDashed, 'text-faint');
const RUNNING = look('asking', LoaderCircle, 'text-run', true);
const FAILED = look('no answer', TriangleAlert, 'text-bad');
const EARLIER = look('earlier prompt', History, 'text-wait');
const ANSWERED = look('answered', MessageSquareText, 'text-soft');
/** Passed, with something to be known: JSON in a code fence. */
const NOTED = look('passed, fenced', Check, 'text-wait');
const VERDICTS = {
  pass: look('passed', Check, 'text-ok'),
  fail: look('not passed', X, 'text-bad'),
  'no-check': look('not checked', CircleHelp, 'text-wait'),
} as const;

/** `verdict` null: there are no checks, or the answer waits for them. */
export function toCellLook(cell: GridCell, verdict: CellVerdict): CellLook {
  if (isEarlier(cell)) return EARLIER;
  if (cell.state === 'waiting') return WAITING;
  if (cell.state === 'running') return RUNNING;
  if (cell.state === 'failed') return FAILED;
  if (verdict === null) return ANSWERED;
  return verdict.state === 'pass' && verdict.note !== undefined ? NOTED : VERDICTS[verdict.state];
}

/** Why a check failed or could not be applied, for the cell itself; null: there is nothing to say. */
export function toCellReason(cell: GridCell, verdict: CellVerdict): string | null {
  if (cell.state !== 'done' || isEarlier(cell) || verdict === null || verdict.state === 'pass') return null;
  return verdict.reason.replace(/^Not checked: /, '');
}
