import { Plus } from 'lucide-react';
import { DEFAULT_CHECK, type CheckSpec } from '#shared/evaluation/checks.ts';
import { Button } from '#web/ui/Button.tsx';
import { CheckFields } from './CheckFields.tsx';
import { setChecks } from './gridActions.ts';
import { useGrid } from './gridStore.ts';

/** The checks that every answer has to pass. A change updates the verdicts. */
export function ChecksEditor() {
  const checks = useGrid((state) => state.checks);
  const change = (place: number, next: CheckSpec) =>
    setChecks(checks.map((check, at) => (at === place ? next : check)));
  return (
    <section
      aria-label="Checks"
      className="flex max-h-[40%] shrink-0 flex-col gap-2 overflow-y-auto border-t border-line bg-raised px-3 py-2"
    >
      <p className="text-soft">
        {checks.length === 0
          ? 'Checks judge every answer, now and later: add one to see pass rates.'
          : 'An answer passes when it passes every check. White space around answers does not count.'}
      </p>
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
