// Advice for a snapshot without a recommendation; the snapshot's own facts come first where they explain it.
import { ownField, numberOr } from '#core/contract/readJson.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';

/** ASSUMED: the origin asks for at least 10 training rows in a snapshot; SPEC gives no figure. */
const FEW_ROWS = 10;

/** Likely reasons for `failed`, the most likely first. SPEC 2.2 has no field for a reason; some services send one. */
export function toFailureAdvice(snapshot: TreeNode, isReasonGiven: boolean): readonly string[] {
  const training = numberOr(ownField(snapshot.metadata, 'training_count'), null);
  const advice: string[] = [];
  if (training === 0)
    advice.push('This snapshot has no training rows: add rows to its dataset, then make a new snapshot.');
  else if (training !== null && training < FEW_ROWS) {
    advice.push(
      `This snapshot has only ${training} training rows; services ask for ${FEW_ROWS} or more. Add rows, then ` +
        'make a new snapshot.',
    );
  }
  if (!isReasonGiven)
    advice.push('Search the service’s log for the snapshot’s id: the recommendation itself contains no reason.');
  advice.push('Then ask for the recommendation again.');
  return advice;
}

interface FoundSnapshot {
  readonly node: TreeNode;
  /** With the name of its dataset. */
  readonly label: string;
}

/** Every snapshot below a node, in the order of the tree. */
export function toSnapshots(top: TreeNode): readonly FoundSnapshot[] {
  const inside = top.type === 'dataset' ? `${nodeLabel(top)} › ` : '';
  return top.children.flatMap((node) =>
    node.type === 'snapshot' ? [{ node, label: `${inside}${nodeLabel(node)}` }] : toSnapshots(node),
  );
}
