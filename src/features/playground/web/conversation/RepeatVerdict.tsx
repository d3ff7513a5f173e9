import { CircleHelp, Equal, EqualNot } from 'lucide-react';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import { chooseDiff } from './diffTargets.ts';
import { toVerdict, type Verdict } from '#features/playground/web/sending/repeatComparison.ts';

interface RepeatVerdictProps {
  turnId: string;
  /** The answer whose request was repeated; null if it was deleted. */
  before: Answer | null;
  answer: Answer;
}

const LOOKS: Readonly<Record<Verdict['kind'], { readonly Icon: typeof Equal; readonly className: string }>> = {
  same: { Icon: Equal, className: 'text-success' },
  different: { Icon: EqualNot, className: 'text-warning' },
  unknown: { Icon: CircleHelp, className: 'text-soft' },
};

const DELETED: Verdict = { kind: 'unknown', text: 'the first answer was deleted', notes: [] };

/** Says whether the repeated request gave the same answer. */
export function RepeatVerdict({ turnId, before, answer }: RepeatVerdictProps) {
  const verdict = before ? toVerdict(before, answer) : DELETED;
  if (!verdict) return null;
  const { Icon, className } = LOOKS[verdict.kind];
  return (
    <div className="mx-3 mb-1 flex items-start gap-2 rounded-lg border border-line bg-raised px-2.5 py-0.5 text-sm">
      <Icon aria-hidden size={14} className={`mt-1 shrink-0 ${className}`} />
      <p className="min-w-0 flex-1 py-0.5 text-soft [overflow-wrap:anywhere]">
        Repeated request: <b className={`font-semibold ${className}`}>{verdict.text}</b>
        {verdict.notes.length > 0 && <>. {verdict.notes.join(' ')}</>}
        {verdict.kind === 'different' && before && (
          <button
            type="button"
            onClick={() => chooseDiff(turnId, { against: before.id })}
            className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline"
          >
            Show differences
          </button>
        )}
      </p>
    </div>
  );
}
