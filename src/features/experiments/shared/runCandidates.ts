// Makes candidates of experiments in the tree, with their hyperparameters and results.
import { UNKNOWN_MODEL, type ReadJobExperiment } from '#core/contract/jobReader.ts';
import { isUnrecorded, nodeLabel, statusCause, type TreeNode } from '#core/contract/projectReader.ts';
import { readChosen } from '#core/contract/trainingSettings.ts';
import { numberOr, textOr } from '#core/contract/readJson.ts';
import type { Candidate } from './candidates.ts';
import { toExtraParameters, type ExtraParameter } from './extraParameters.ts';
import { toPackedParameter, toPackedText, toRowsPerSequence } from './packing.ts';

/** An experiment with the nodes above it; null if the tree has none. */
export interface PlacedExperiment {
  readonly node: TreeNode;
  readonly job: TreeNode | null;
  readonly snapshot: TreeNode | null;
  readonly dataset: TreeNode | null;
}

/** The results that a job gives for each of its experiments; validation measures come beside them. */
const RESULTS = [
  { name: 'steps', kind: 'count', isResult: true },
  { name: 'seconds', kind: 'number', isResult: true },
  { name: 'first_loss', kind: 'number', isResult: true, isMeasured: true },
  { name: 'last_loss', kind: 'number', isResult: true, isMeasured: true },
  { name: 'held_out_rows', kind: 'count', isResult: true },
] as const satisfies readonly Omit<ExtraParameter, 'value'>[];

export const RESULT_NAMES: readonly string[] = RESULTS.map(({ name }) => name);

/** The results that the service sent. Missing ones are left out. */
function toResults(jobFacts: ReadJobExperiment): readonly ExtraParameter[] {
  const { held_out: ofRun, held_out_base: ofBase } = jobFacts;
  const held_out = toExtraParameters({ held_out: ofRun, held_out_base: ofBase }).filter(({ value }) => value !== '{}');
  const results: readonly ExtraParameter[] = [
    ...RESULTS.map((result) => Object.assign({ value: jobFacts[result.name] }, result)),
    ...held_out.map(({ name, kind, value }) => ({ name, kind, value, isResult: true, isMeasured: true })),
  ];
  return results.filter(({ value }) => value !== null);
}

/** What its batch was in rows, if it packed them. */
function toPackedBatch(jobFacts: ReadJobExperiment, snapshot: TreeNode | null): readonly ExtraParameter[] {
  const { batch_size } = jobFacts;
  const perSequence = toRowsPerSequence(jobFacts, numberOr(snapshot?.metadata['training_count'], null));
  return perSequence === null || batch_size === null ? [] : [toPackedParameter(toPackedText(batch_size, perSequence))];
}

/** The candidate of an experiment. `jobFacts`: its entry in the job; null until that is loaded. */
export function toRunCandidate(
  key: string,
  { node, job, snapshot, dataset }: PlacedExperiment,
  jobFacts: ReadJobExperiment | null,
): Candidate {
  const { metadata } = node;
  const base = textOr(metadata['base_model_id'], '') || jobFacts?.base_model_id;
  return {
    key,
    origin: 'run',
    snapshot_id: snapshot?.id ?? null,
    label: nodeLabel(node),
    experiment_id: node.id,
    dataset: dataset && !isUnrecorded(dataset) ? nodeLabel(dataset) : null,
    location: [dataset, job].flatMap((above) => (above ? [nodeLabel(above)] : [])).join(' › ') || null,
    status: node.status ?? jobFacts?.status ?? null,
    status_cause: statusCause(node) ?? jobFacts?.status_cause ?? null,
    model_id: textOr(metadata['model_id'], '') || (jobFacts?.model_id ?? null),
    place: numberOr(metadata['experiment_number'], jobFacts?.experiment_number ?? null),
    repeat: 1,
    base_model_id: base || UNKNOWN_MODEL,
    training_type: jobFacts?.training_type ?? null,
    n_epochs: jobFacts?.n_epochs ?? null,
    batch_size: jobFacts?.batch_size ?? null,
    learning_rate_multiplier: jobFacts?.learning_rate_multiplier ?? null,
    recommended: false,
    reason_for_recommendation: null,
    failure: jobFacts?.failure ?? null,
    right_rows: jobFacts?.right_rows ?? null,
    chosen: readChosen(jobFacts?.chosen_settings),
    extras: jobFacts
      ? [...toResults(jobFacts), ...toPackedBatch(jobFacts, snapshot), ...toExtraParameters(jobFacts.extra)]
      : [],
  };
}
