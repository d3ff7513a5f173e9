import { useQuery } from '@tanstack/react-query';
import { Columns3 } from 'lucide-react';
import { recommendationQuery } from '#web/api/queries.ts';
import { nodeLabel, type TreeNode } from '#shared/contract/projectReader.ts';
import { toRunRef } from '#web/session/runRefs.ts';
import { updateUrl } from '#web/session/urlState.ts';
import { findRecommended, toChoices } from '#shared/training/candidates.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';

interface CompareEmptyProps {
  snapshot: TreeNode | null;
}

/** Nothing is compared yet: says how to add candidates, and offers what the service recommends for the snapshot. */
export function CompareEmpty({ snapshot }: CompareEmptyProps) {
  const { data } = useQuery({ ...recommendationQuery(snapshot?.id ?? ''), enabled: snapshot !== null });
  const recommended = data && snapshot ? findRecommended(toChoices(data)) : [];
  const refs = snapshot
    ? recommended.map(({ key }) => toRunRef({ kind: 'candidate', snapshot_id: snapshot.id, key }))
    : [];
  const action = (
    <>
      {snapshot && refs.length > 0 && (
        <Button variant="primary" onClick={() => updateUrl({ compare: refs, baseline: null })}>
          Compare the recommended {refs.length}
        </Button>
      )}
      <Button onClick={() => updateUrl({ tab: 'recommendations' })}>Go to Recommendations</Button>
      <Button onClick={() => updateUrl({ tab: 'experiments' })}>Go to Experiments</Button>
    </>
  );
  return (
    <EmptyState icon={<Columns3 aria-hidden size={20} />} title="Nothing is compared yet" action={action}>
      Tick the boxes in Recommendations and in Experiments, or use a node’s menu in the project tree. What is
      recommended and what was trained can stand side by side, also from several snapshots; the link of this page keeps
      it.
      {snapshot &&
        refs.length > 0 &&
        ` For ${nodeLabel(snapshot)} the service itself recommends ${refs.length} of ` +
          `${data ? toChoices(data).candidates.length : 0} candidates.`}
    </EmptyState>
  );
}
