import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries';
import type { Candidate } from '../training/candidates';
import type { ExportInput } from '../training/exportInput';
import { ExportMenu } from '../ui/ExportMenu';

interface CompareExportProps {
  candidates: readonly Candidate[];
  /** The project's name. */
  project: string;
}

const loadFormats = async () => (await import('../training/exportFormats')).EXPORT_FORMATS;

/** The compared candidates as configs, a request or a table. */
export function CompareExport({ candidates, project }: CompareExportProps) {
  const { data: session } = useQuery(sessionQuery());
  const snapshots = new Set(candidates.map(({ snapshot_id }) => snapshot_id));
  const [snapshot_id = null] = snapshots.size === 1 ? snapshots : [];
  const toInput = (): ExportInput => ({
    snapshot_id,
    name: `${project}, compared`,
    candidates,
    isRateAbsolute: session?.learning_rate_is_absolute === true,
    baseUrl: session?.remote ?? window.location.origin,
    takesJobs: session?.mode !== 'local',
  });
  const disabledReason = candidates.length === 0 ? 'There is no candidate to copy.' : null;
  return <ExportMenu copyLabel="Copy as" downloadLabel="Download as" toInput={toInput} load={loadFormats} disabledReason={disabledReason} />;
}
