import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { CHECK_NAMES } from '#features/evaluation/shared/checkSet.ts';
import { DEFAULT_CHECK, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { suggestChecks } from '#features/evaluation/shared/suggestChecks.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CheckFields } from './CheckFields.tsx';
import { setChecks } from './gridActions.ts';
import { useGrid } from './gridStore.ts';

/** The checks that every answer has to pass. A change updates the verdicts. */
export function ChecksEditor() {
  const checks = useGrid((state) => state.checks);
  const rows = useGrid((state) => state.setup.rows);
  const suggestion = useMemo(() => suggestChecks(rows), [rows]);
  const { check: fitting } = suggestion;
  const offered =
    fitting === null ? suggestion.forms : [{ label: `Check: ${CHECK_NAMES[fitting.kind]}`, spec: fitting }];
  const change = (place: number, next: CheckSpec) =>
    setChecks(checks.map((check, at) => (at === place ? next : check)));
  return (
    <section
      aria-label="Checks"
      className="flex max-h-[40%] shrink-0 flex-col gap-2 overflow-y-auto border-t border-line bg-raised px-3 py-2"
    >
      <p className="text-soft">
        {checks.length === 0
          ? 'Add a check to score answers.'
          : 'An answer passes if it passes every check. White space around answers does not count.'}
      </p>
      {checks.length === 0 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <p className="text-sm text-soft">{suggestion.reason}</p>
          {offered.map(({ label, spec }) => (
            <Button key={label} size="small" onClick={() => setChecks([spec])}>
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
          onChange={(next) => change(place, next)}
          onRemove={() => setChecks(checks.filter((_, at) => at !== place))}
        />
      ))}
      <div>
        <Button size="small" onClick={() => setChecks([...checks, DEFAULT_CHECK])}>
          <Plus aria-hidden size={13} /> Check
        </Button>
      </div>
    </section>
  );
}
