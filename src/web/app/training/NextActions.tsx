import { nodeLabel, type TreeNode } from '#shared/contract/projectReader.ts';
import type { Candidate } from '#shared/training/candidates.ts';
import { CandidateExport } from '#web/recommendations/CandidateExport.tsx';
import { StartButton } from '#web/recommendations/StartButton.tsx';

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
      <CandidateExport snapshot={snapshot} candidates={candidates} what="config" isFormatKept />
    </>
  );
}
