import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '#ui/client/queries.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { saveRateChoice, loadRateChoice, useRateChoice } from '#features/experiments/web/comparing/rateChoice.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toConnection, toExportTarget, type ExportInput } from '#features/experiments/shared/exports/exportInput.ts';
import { toValidationCounts } from '#features/experiments/shared/validationCounts.ts';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';
import { useRowFiles } from './useRowFiles.ts';

interface CandidateExportProps {
  snapshot: TreeNode;
  candidates: readonly Candidate[];
  /** Offers the format that was last used as a button of its own. */
  isFormatKept?: boolean;
  /** What the menus export, such as "all". The plot's selection limits it, as it limits the list. */
  what?: string;
}

const loadFormats = async () => (await import('#features/experiments/shared/exports/exportFormats.ts')).EXPORT_FORMATS;

/** Candidates of one record as configs, a request or a table. */
export function CandidateExport({ snapshot, candidates, isFormatKept = false, what }: CandidateExportProps) {
  const { data: session = null } = useQuery(sessionQuery());
  const studio = toConnection(session, window.location.origin);
  const choice = useRateChoice(studio);
  const { rowFiles, downloads } = useRowFiles(snapshot, session?.mode === 'local');
  const toInput = (): ExportInput => ({
    snapshot_id: snapshot.id,
    name: `${nodeLabel(snapshot)}, next runs`,
    candidates,
    // Read on export: the person may have just given the answer.
    ...toExportTarget(session, window.location.origin, loadRateChoice(studio)),
    validation: toValidationCounts(snapshot),
    rowFiles,
  });
  const as = what === undefined ? 'as' : `${what} as`;
  return (
    <ExportMenu
      copyLabel={`Copy ${as}`}
      downloadLabel={`Download ${as}`}
      toInput={toInput}
      load={loadFormats}
      files={downloads}
      isFormatKept={isFormatKept}
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
