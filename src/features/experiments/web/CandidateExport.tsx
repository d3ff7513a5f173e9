import { useQuery, useQueryClient } from '@tanstack/react-query';
import { projectQuery, rowsOfferQuery, sessionQuery } from '#ui/client/queries.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { saveRateChoice, loadRateChoice, useRateChoice } from '#features/experiments/web/compareState/rateChoice.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toConnection, toExportTarget, type ExportInput } from '#features/experiments/shared/exports/exportInput.ts';
import { toRowDownloads, toRowFiles } from '#features/experiments/shared/rowFiles.ts';
import { toValidationCounts } from '#features/experiments/shared/validationCounts.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';

interface CandidateExportProps {
  /** The snapshot of the candidates, or the project of their snapshots. */
  root: TreeNode;
  candidates: readonly Candidate[];
  /** What the menus export, such as "all". The plot's selection limits it, as it limits the list. */
  what?: string;
  /** Offers the format that was last used as a button of its own. */
  isFormatKept?: boolean;
  /** The candidates are runs of a folder: they have no rows, and rates instead of multipliers. */
  isOfFolder?: boolean;
  /** Changed lines of a config name its value. */
  baseline?: Candidate | null;
  disabledReason?: string | null;
}

const loadFormats = async () => (await import('#features/experiments/shared/exports/exportFormats.ts')).EXPORT_FORMATS;
const loadRunFormats = async () => (await import('#features/experiments/shared/exports/exportFormats.ts')).RUN_FORMATS;

/** Candidates as configs, a request or a table. */
export function CandidateExport({
  root,
  candidates,
  what,
  isFormatKept = false,
  isOfFolder = false,
  baseline = null,
  disabledReason = null,
}: CandidateExportProps) {
  const { project } = useUrlState();
  const client = useQueryClient();
  const { data: session = null } = useQuery(sessionQuery());
  const studio = toConnection(session, window.location.origin);
  const choice = useRateChoice(studio);
  const snapshots = [...new Set(candidates.map(({ snapshot_id }) => snapshot_id))];
  const ids = snapshots.flatMap((id) => id ?? []);
  // Neither a gateway nor a folder of runs has rows: asking it would only log an error. A local studio has those of all
  // its snapshots, or of none.
  const isAsked = session?.mode === 'local' && !isOfFolder;
  const { data: hasRows = false } = useQuery(rowsOfferQuery(isAsked ? (ids[0] ?? '') : ''));
  const withRows = new Set(hasRows ? ids : []);
  // The tree knows the dataset of a snapshot, whose name is part of the files' names.
  const tree = client.getQueryData(projectQuery(project ?? '').queryKey) ?? root;
  const toInput = (): ExportInput => ({
    snapshot_id: snapshots.length === 1 ? (snapshots[0] ?? null) : null,
    name: `${nodeLabel(root)}, ${root.type === 'snapshot' ? 'next runs' : 'compared'}`,
    candidates,
    // Read on export: the person may have just given the answer.
    ...toExportTarget(session, window.location.origin, loadRateChoice(studio)),
    validation: toValidationCounts(root),
    rowFiles: toRowFiles(tree, withRows),
    isOfFolder,
    baseline,
  });
  const as = what === undefined ? 'as' : `${what} as`;
  return (
    <ExportMenu
      copyLabel={`Copy ${as}`}
      downloadLabel={`Download ${as}`}
      toInput={toInput}
      load={isOfFolder ? loadRunFormats : loadFormats}
      files={toRowDownloads(tree, withRows)}
      isFormatKept={isFormatKept}
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
