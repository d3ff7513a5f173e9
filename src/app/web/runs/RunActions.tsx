import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Run } from '#features/runs/shared/runs.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import type { ExperimentSource } from '#features/experiments/web/rows/experimentRows.ts';
import { Button } from '#ui/kit/Button.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { RunExport } from './RunExport.tsx';

interface RunActionsProps {
  run: Run;
  source: ExperimentSource;
  others: readonly { readonly source: ExperimentSource; readonly label: string }[];
}

/** What a run's page can be taken away as: a file to read, or the config of a trainer. */
export function RunActions({ run, source, others }: RunActionsProps) {
  const client = useQueryClient();
  const { data: roots } = useQuery(knownRootsQuery());
  const [isSaving, setSaving] = useState(false);
  const runs = useMemo(() => [source], [source]);
  const save = async () => {
    setSaving(true);
    try {
      const { saveRun } = await import('./saveRun.ts');
      await saveRun(client, run, roots?.find(({ id }) => id === run.root_id)?.path ?? null, Date.now());
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'The studio did not answer.';
      showToast(`The page was not saved. ${reason}`, { tone: 'error' });
    } finally {
      setSaving(false);
    }
  };
  return (
    <section aria-label="Take away" className="flex flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
      <Button disabledReason={isSaving ? 'It is being saved.' : null} onClick={() => void save()}>
        <FileDown aria-hidden size={13} />
        Save page
      </Button>
      <RunExport what="this run" runs={runs} others={others} />
    </section>
  );
}
