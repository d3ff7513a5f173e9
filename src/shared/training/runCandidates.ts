// Experiments of the tree as candidates, beside what is only recommended: what they were asked to do, and what came of
// it.
import { UNKNOWN_MODEL, type ReadJobExperiment } from '#shared/contract/jobReader.ts';
import { nodeLabel, type TreeNode } from '#shared/contract/projectReader.ts';
import { numberOr, textOr } from '#shared/contract/reading.ts';
import type { Candidate } from './candidates.ts';
import { toExtraParameters, type ExtraParameter } from './extraParameters.ts';

/** An experiment with the nodes above it; null where the tree has none. */
export interface PlacedExperiment {
  readonly node: TreeNode;
  readonly job: TreeNode | null;
  readonly snapshot: TreeNode | null;
  readonly dataset: TreeNode | null;
}

/** Only what is there: a service that tells no results adds no rows. */
function toResults(told: ReadJobExperiment): readonly ExtraParameter[] {
  const held_out = toExtraParameters({ held_out: told.held_out }).filter(({ value }) => value !== '{}');
  const results: readonly ExtraParameter[] = [
    { name: 'steps', kind: 'count', value: told.steps, isResult: true },
    { name: 'seconds', kind: 'number', value: told.seconds, isResult: true },
    { name: 'first_loss', kind: 'number', value: told.first_loss, isResult: true, isMeasured: true },
    { name: 'last_loss', kind: 'number', value: told.last_loss, isResult: true, isMeasured: true },
    { name: 'held_out_rows', kind: 'count', value: told.held_out_rows, isResult: true },
    ...held_out.map(({ name, kind, value }) => ({ name, kind, value, isResult: true, isMeasured: true })),
  ];
  return results.filter(({ value }) => value !== null);
}

/** The tree's own fields count where the job's answer does not tell, or `told` is null. */
export function toRunCandidate(
  key: string,
  { node, job, snapshot, dataset }: PlacedExperiment,
  told: ReadJobExperiment | null,
): Candidate {
  const { metadata } = node;
  const base = textOr(metadata['base_model_id'], '') || told?.base_model_id;
  return {
    key,
    origin: 'run',
    snapshot_id: snapshot?.id ?? null,
    label: nodeLabel(node),
    experiment_id: node.id,
    dataset: dataset && nodeLabel(dataset),
    home: [dataset, job].flatMap((above) => (above ? [nodeLabel(above)] : [])).join(' › ') || null,
    status: node.status ?? told?.status ?? null,
    model_id: textOr(metadata['model_id'], '') || (told?.model_id ?? null),
    place: numberOr(metadata['experiment_number'], told?.experiment_number ?? null),
    repeat: 1,
    base_model_id: base || UNKNOWN_MODEL,
    training_type: told?.training_type ?? null,
    n_epochs: told?.n_epochs ?? null,
    batch_size: told?.batch_size ?? null,
    learning_rate_multiplier: told?.learning_rate_multiplier ?? null,
    recommended: false,
    reason_for_recommendation: null,
    failure: told?.failure ?? null,
    extras: told ? [...toResults(told), ...toExtraParameters(told.extra)] : [],
  };
}
