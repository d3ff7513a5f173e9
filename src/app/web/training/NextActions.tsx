import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CandidateExport } from '#features/experiments/web/CandidateExport.tsx';
import { StartButton } from '#features/experiments/web/recommendations/StartButton.tsx';

interface NextActionsProps {
  snapshot: TreeNode;
  candidates: readonly Candidate[];
  /** Offers to start them here. */
  isStarted: boolean;
}

/** What the overview offers for the training that comes next: start it here, or take its config elsewhere. */
export function NextActions({ snapshot, candidates, isStarted }: NextActionsProps) {
  return (
    <>
      {isStarted && <StartButton snapshot={snapshot} of={nodeLabel(snapshot)} />}
      <CandidateExport root={snapshot} candidates={candidates} what="config" isFormatKept />
    </>
  );
}
