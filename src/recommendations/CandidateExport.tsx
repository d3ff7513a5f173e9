import { nodeLabel, type TreeNode } from '../contract/projectReader';
import type { SessionInfo } from '../contract/routes';
import { keepRate, readKeptRate, useKeptRate } from '../session/rateChoice';
import type { Candidate } from '../training/candidates';
import { toConnection, toExportTarget, type ExportInput } from '../training/exportInput';
import { toValidationCounts } from '../training/validationCounts';
import { ExportMenu } from '../ui/ExportMenu';

interface CandidateExportProps {
  snapshot: TreeNode;
  candidates: readonly Candidate[];
  /** null: not known yet. */
  session: SessionInfo | null;
  /** What the menus take, such as "all"; the plot's selection limits it as it limits the list. */
  what?: string;
}

const loadFormats = async () => (await import('../training/exportFormats')).EXPORT_FORMATS;

/** Candidates of one record as configs, a request or a table. */
export function CandidateExport({ snapshot, candidates, session, what }: CandidateExportProps) {
  const studio = toConnection(session, window.location.origin);
  const choice = useKeptRate(studio);
  const toInput = (): ExportInput => ({
    snapshot_id: snapshot.id,
    name: `${nodeLabel(snapshot)}, next experiments`,
    candidates,
    // Read when it is needed: it may just have been said.
    ...toExportTarget(session, window.location.origin, readKeptRate(studio)),
    validation: toValidationCounts(snapshot),
  });
  const as = what === undefined ? 'as' : `${what} as`;
  return (
    <ExportMenu
      copyLabel={`Copy ${as}`}
      downloadLabel={`Download ${as}`}
      toInput={toInput}
      load={loadFormats}
      rate={
        session?.learning_rate_is_absolute === true
          ? null
          : { studio, choice, onChoose: (said) => keepRate(studio, said) }
      }
    />
  );
}
