import { useQuery } from '@tanstack/react-query';
import { Columns3 } from 'lucide-react';
import { recommendationQuery } from '#ui/client/queries.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { toBesideRuns } from '#features/experiments/web/comparing/besideRuns.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { findRecommended, toChoices, toRecommendedWords } from '#features/experiments/shared/candidates.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface CompareEmptyProps {
  snapshot: TreeNode | null;
}

/** Nothing is compared yet: says how to add candidates, and offers what the service recommends for the snapshot. */
export function CompareEmpty({ snapshot }: CompareEmptyProps) {
  const { data } = useQuery({ ...recommendationQuery(snapshot?.id ?? ''), enabled: snapshot !== null });
  const choices = data && snapshot ? toChoices(data) : null;
  const keys = choices ? findRecommended(choices).map(({ key }) => key) : [];
  const words = choices && toRecommendedWords(choices);
  const { refs, runs } = snapshot ? toBesideRuns(snapshot, keys) : { refs: [], runs: 0 };
  const action = (
    <>
      {keys.length > 0 && (
        <Button variant="primary" onClick={() => updateUrl({ compare: refs, baseline: null, order: null })}>
          Compare {formatCounted(keys.length, 'recommended setting')}
          {runs > 0 && ` with ${formatCounted(runs, 'run')}`}
        </Button>
      )}
      <Button onClick={() => updateUrl({ tab: 'recommendations' })}>Go to Recommendations</Button>
      <Button onClick={() => updateUrl({ tab: 'experiments' })}>Go to Runs</Button>
    </>
  );
  return (
    <EmptyState icon={<Columns3 aria-hidden size={20} />} title="Nothing to compare yet" action={action}>
      Tick boxes in Recommendations or Runs, or use a node’s menu in the project tree. Runs and proposals of several
      snapshots can be compared together. The link of this page keeps your choice.
      {snapshot && words !== null && ` For ${nodeLabel(snapshot)} the service recommends ${words}.`}
    </EmptyState>
  );
}
