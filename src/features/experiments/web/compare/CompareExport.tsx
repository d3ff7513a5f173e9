import { useQuery } from '@tanstack/react-query';
import { rowsOfferQuery, sessionQuery } from '#ui/client/queries.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { saveRateChoice, loadRateChoice, useRateChoice } from '#features/experiments/web/comparing/rateChoice.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toConnection, toExportTarget, type ExportInput } from '#features/experiments/shared/exports/exportInput.ts';
import { toRowDownloads, toRowFiles } from '#features/experiments/shared/rowFiles.ts';
import { toValidationCounts } from '#features/experiments/shared/validationCounts.ts';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';
import { formatCount } from '#ui/kit/format.ts';

interface CompareExportProps {
  candidates: readonly Candidate[];
  /** Whether the plot's selection excludes some candidates. */
  isCut: boolean;
  project: TreeNode;
  /** Changed lines of a config name its value. */
  baseline: Candidate | null;
}

const loadFormats = async () => (await import('#features/experiments/shared/exports/exportFormats.ts')).EXPORT_FORMATS;
const loadRunFormats = async () => (await import('#features/experiments/shared/exports/exportFormats.ts')).RUN_FORMATS;

/** The compared candidates as configs, a request or a table. The menus' names say which candidates they export. */
export function CompareExport({ candidates, isCut, project, baseline }: CompareExportProps) {
  const { data: session = null } = useQuery(sessionQuery());
  const studio = toConnection(session, window.location.origin);
  const choice = useRateChoice(studio);
  const snapshots = new Set(candidates.map(({ snapshot_id }) => snapshot_id));
  const [snapshot_id = null] = snapshots.size === 1 ? snapshots : [];
  const ids = [...snapshots].flatMap((id) => (id === null ? [] : [id]));
  const { data: roots } = useQuery(knownRootsQuery());
  const isOfFolder = roots === null ? false : roots?.some(({ id }) => id === project.id);
  // Neither a gateway nor a folder of runs has rows: asking it would only log an error. A local studio has those of all its snapshots, or of none.
  const { data: hasRows = false } = useQuery(
    rowsOfferQuery(session?.mode === 'local' && isOfFolder === false ? (ids[0] ?? '') : ''),
  );
  const withRows = new Set(hasRows ? ids : []);
  const toInput = (): ExportInput => ({
    snapshot_id,
    name: `${nodeLabel(project)}, compared`,
    candidates,
    // Read on export: the person may have just given the answer.
    ...toExportTarget(session, window.location.origin, loadRateChoice(studio)),
    validation: toValidationCounts(project),
    rowFiles: toRowFiles(project, withRows),
    isOfFolder: isOfFolder === true,
    baseline,
  });
  const what = isCut ? `the ${formatCount(candidates.length)} selected` : 'all';
  const emptyReason = isCut ? 'No candidate is inside the selection.' : 'There is no candidate to copy.';
  const disabledReason = candidates.length === 0 ? emptyReason : null;
  return (
    <ExportMenu
      copyLabel={`Copy ${what} as`}
      downloadLabel={`Download ${what} as`}
      toInput={toInput}
      load={isOfFolder === true ? loadRunFormats : loadFormats}
      files={toRowDownloads(project, withRows)}
      disabledReason={disabledReason}
      rate={
        session?.learning_rate_is_absolute === true
          ? null
          : {
              studio,
              isFactor: session?.learning_rate_is_absolute === false,
              choice,
              example: candidates[0]?.learning_rate_multiplier ?? null,
              onChoose: (said) => saveRateChoice(studio, said),
            }
      }
    />
  );
}
