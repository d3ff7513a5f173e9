import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { TextFault } from './textFaults.ts';

interface FaultListProps {
  faults: readonly TextFault[];
  isEmpty: boolean;
}

const SHOWN = 12;

function toSummary(faults: readonly TextFault[]): string {
  const warnings = faults.filter((fault) => fault.isWarning).length;
  const problems = faults.length - warnings;
  const count = (number: number, noun: string) => (number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`]);
  return [...count(problems, 'problem'), ...count(warnings, 'warning')].join(', ');
}

/** The faults of a typed text, each with its line. */
export function FaultList({ faults, isEmpty }: FaultListProps) {
  // Screen readers announce it when typing pauses.
  const summary = useDeferredValue(faults.length === 0 ? (isEmpty ? '' : 'No problems found.') : toSummary(faults));
  return (
    <div className="min-h-12 text-sm">
      <p aria-live="polite" className="flex min-h-6 items-center gap-1.5 font-medium">
        {faults.length === 0 && !isEmpty && <CircleCheck aria-hidden size={13} className="text-success" />}
        {summary}
      </p>
      <ul aria-label="Problems" className="flex flex-col gap-1">
        {faults.slice(0, SHOWN).map(({ from, line, message, isWarning }) => (
          <li key={`${from} ${message}`} className="flex items-start gap-1.5">
            {isWarning ? (
              <TriangleAlert aria-label="Warning" size={13} className="mt-0.5 shrink-0 text-warning" />
            ) : (
              <CircleX aria-label="Problem" size={13} className="mt-0.5 shrink-0 text-error" />
            )}
            <span className="shrink-0 text-soft tabular-nums">line {line}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{message}</span>
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && <p className="pt-1 text-soft">and {faults.length - SHOWN} more</p>}
    </div>
  );
}
