import { Plus } from 'lucide-react';
import { CHECK_NAMES } from '#features/evaluation/shared/checkSet.ts';
import { DEFAULT_CHECK, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { CheckSuggestion } from '#features/evaluation/shared/suggestChecks.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CheckFields } from './CheckFields.tsx';

interface CheckListProps {
  checks: readonly CheckSpec[];
  /** What fits the rows; null: they are not known here. */
  suggestion: CheckSuggestion | null;
  onChange: (checks: readonly CheckSpec[]) => void;
}

/** Checks to edit, what fits the rows where there is none yet, and a way to add one. */
export function CheckList({ checks, suggestion, onChange }: CheckListProps) {
  const fitting = suggestion?.check ?? null;
  const offered =
    fitting === null ? (suggestion?.forms ?? []) : [{ label: `Check: ${CHECK_NAMES[fitting.kind]}`, spec: fitting }];
  return (
    <>
      {checks.length === 0 && suggestion && (
        <div className="flex flex-wrap items-center gap-1.5">
          <p className="text-sm text-soft">{suggestion.reason}</p>
          {offered.map(({ label, spec }) => (
            <Button key={label} size="small" onClick={() => onChange([spec])}>
              <Plus aria-hidden size={13} /> {label}
            </Button>
          ))}
        </div>
      )}
      {checks.map((check, place) => (
        <CheckFields
          key={`${String(place)}-${checks.length}`}
          place={place + 1}
          value={check}
          onChange={(next) => onChange(checks.map((each, at) => (at === place ? next : each)))}
          onRemove={() => onChange(checks.filter((_, at) => at !== place))}
        />
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...checks, DEFAULT_CHECK])}>
          <Plus aria-hidden size={13} /> Check
        </Button>
      </div>
    </>
  );
}
