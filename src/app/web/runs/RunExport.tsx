import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { sessionQuery } from '#ui/client/queries.ts';
import { toExportTarget, type ExportInput } from '#features/experiments/shared/exports/exportInput.ts';
import { toRunCandidate } from '#features/experiments/shared/runCandidates.ts';
import { findJobFacts } from '#features/experiments/web/rows/experimentFacts.ts';
import { toActiveJobIds, toJobIds, type ExperimentSource } from '#features/experiments/web/rows/experimentRows.ts';
import { useJobAnswers } from '#features/experiments/web/useJobAnswers.ts';
import { Select } from '#ui/fields/Select.tsx';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';

interface RunExportProps {
  /** Which runs, such as "this run" or "the 2 selected". */
  what: string;
  runs: readonly ExperimentSource[];
  /** Runs that they can be compared with. */
  others: readonly { readonly source: ExperimentSource; readonly label: string }[];
}

const loadConfigs = async () =>
  (await import('#features/experiments/shared/exports/exportFormats.ts')).RUN_FORMATS.filter(
    ({ kind }) => kind === 'config',
  );

/** Runs of a folder as the config of a trainer, with what changed since another run. */
export function RunExport({ what, runs, others }: RunExportProps) {
  const [sinceId, setSince] = useState('');
  const { data: session = null } = useQuery(sessionQuery());
  const since = others.find(({ source }) => source.node.id === sinceId)?.source ?? null;
  const needed = useMemo(() => [...runs, ...(since ? [since] : [])], [runs, since]);
  const jobIds = useMemo(() => toJobIds(needed), [needed]);
  const activeIds = useMemo(() => toActiveJobIds(needed), [needed]);
  const { answers } = useJobAnswers(jobIds, activeIds);
  const toCandidate = (source: ExperimentSource) =>
    toRunCandidate(
      source.node.id,
      source,
      findJobFacts(answers.byId.get(source.job?.id ?? '') ?? null, source.node.id),
    );
  const toInput = (): ExportInput => ({
    snapshot_id: null,
    name: runs[0]?.node.label ?? '',
    candidates: runs.map(toCandidate),
    // A folder records rates, not multipliers.
    ...toExportTarget(session, window.location.origin, null),
    validation: new Map(),
    rowFiles: new Map(),
    isOfFolder: true,
    baseline: since && toCandidate(since),
  });
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {others.length > 0 && (
        <Select
          label="Changes since"
          value={sinceId}
          options={[
            { value: '', label: 'no run' },
            ...others.map(({ source, label }) => ({ value: source.node.id, label })),
          ]}
          onChange={setSince}
        />
      )}
      <ExportMenu
        copyLabel={`Copy config of ${what} as`}
        downloadLabel={`Download config of ${what} as`}
        toInput={toInput}
        load={loadConfigs}
        disabledReason={
          runs.length === 0
            ? 'No run is selected.'
            : answers.pending.size > 0
              ? 'The settings are being loaded.'
              : answers.error
                ? 'The settings could not be loaded. Reload the page.'
                : null
        }
      />
    </span>
  );
}
