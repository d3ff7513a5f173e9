// How the page shows the state of a cell: word, icon, colour. Class names are whole, so that Tailwind finds them.
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

const WAITING = look('not run', CircleDashed, 'text-faint');
const RUNNING = look('asking', LoaderCircle, 'text-running', true);
const FAILED = look('no answer', TriangleAlert, 'text-error');
const EARLIER = look('earlier prompt', History, 'text-warning');
const ANSWERED = look('answered', MessageSquareText, 'text-soft');
/** Passed with a note, such as JSON in a code fence. */
const NOTED = look('passed, see note', Check, 'text-warning');
const VERDICTS = {
  pass: look('passed', Check, 'text-success'),
  fail: look('not passed', X, 'text-error'),
  'no-check': look('not checked', CircleHelp, 'text-warning'),
} as const;

/** `verdict` null: there are no checks, or the answer is not checked yet. */
export function toCellLook(cell: GridCell, verdict: CellVerdict): CellLook {
  if (isEarlier(cell)) return EARLIER;
  if (cell.state === 'waiting') return WAITING;
  if (cell.state === 'running') return RUNNING;
  if (cell.state === 'failed') return FAILED;
  if (verdict === null) return ANSWERED;
  return verdict.state === 'pass' && verdict.note !== undefined ? NOTED : VERDICTS[verdict.state];
}

/** Why an answer did not pass, or could not be checked, as text for the cell; null: nothing to say. */
export function toCellReason(cell: GridCell, verdict: CellVerdict): string | null {
  if (cell.state !== 'done' || isEarlier(cell) || verdict === null || verdict.state === 'pass') return null;
  return verdict.reason.replace(/^Not checked: /, '');
}
