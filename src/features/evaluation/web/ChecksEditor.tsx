import { useMemo } from 'react';
import { suggestChecks } from '#features/evaluation/shared/suggestChecks.ts';
import { CheckList } from './CheckList.tsx';
import { setChecks } from './gridActions.ts';
import { useGrid } from './gridStore.ts';

/** The checks that every answer has to pass. A change updates the verdicts. */
export function ChecksEditor() {
  const checks = useGrid((state) => state.checks);
  const rows = useGrid((state) => state.setup.rows);
  const suggestion = useMemo(() => suggestChecks(rows), [rows]);
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
      <CheckList checks={checks} suggestion={suggestion} onChange={setChecks} />
    </section>
  );
}
