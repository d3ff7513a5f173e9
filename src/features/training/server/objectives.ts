// Which objectives fit the rows of a snapshot and the trainer.
import { OBJECTIVES, type Objective } from '#core/contract/trainingSettings.ts';
import type { RowKinds } from '#features/datasets/server/rowKinds.ts';
import type { TrainingObjectives } from '#features/training/shared/trainingRecords.ts';
import { isUuid } from '#core/contract/uuid.ts';
import type { Database } from '#service/database/database.ts';
import { findFirstRun } from './firstRun.ts';
import { findObjectiveRefusal, type Trainer } from './trainer.ts';

/** Places of a dataset that are looked at before a person starts something: a file has rows of one kind. */
const LOOKED_AT = 2048;

export type FindRowKinds = (
  snapshotId: string,
  isEnough: (kinds: RowKinds) => boolean,
  most?: number,
) => Promise<RowKinds | null>;

/** Of any rows there are prompts to answer. */
const FITS: Readonly<Record<Objective, (kinds: RowKinds) => boolean>> = {
  sft: ({ chats }) => chats,
  dpo: ({ pairs }) => pairs,
  kto: ({ pairs, labels }) => pairs || labels,
  grpo: ({ chats, pairs, labels }) => chats || pairs || labels,
};

const MISFITS: Readonly<Record<Objective, string>> = {
  sft: 'All rows are for DPO or KTO. Choose that objective, or import the file again with the preferred answers alone.',
  dpo: 'DPO learns from pairs of answers, "chosen" and "rejected", and no training row has them. Import such rows, or choose another objective.',
  kto: 'KTO learns from answers with a label, or from pairs, and no training row has either. Import such rows, or choose another objective.',
  grpo: 'There are no training rows.',
};

/** Why no training row of a snapshot fits; null: one does, or there is no such snapshot. */
export async function findMisfit(
  findRowKinds: FindRowKinds,
  snapshotId: string,
  objective: Objective,
): Promise<string | null> {
  const kinds = await findRowKinds(snapshotId, FITS[objective]);
  return kinds === null || FITS[objective](kinds) ? null : MISFITS[objective];
}

type FindFirstRun = (snapshotId: string) => Promise<string | null>;

export const toFirstRunFinder =
  (database: Pick<Database, 'orm' | 'guard'>): FindFirstRun =>
  (snapshotId) =>
    findFirstRun(database, snapshotId);

/** For those who choose; null: there is no such snapshot. `trainer` null: workers may train anything. */
export async function describeObjectives(
  findRowKinds: FindRowKinds,
  snapshotId: string,
  trainer: Trainer | null,
  findFirst: FindFirstRun,
): Promise<TrainingObjectives | null> {
  if (!isUuid(snapshotId)) return null;
  const isAll = (kinds: RowKinds): boolean => OBJECTIVES.every((objective) => FITS[objective](kinds));
  const kinds = await findRowKinds(snapshotId, isAll, LOOKED_AT);
  if (kinds === null) return null;
  return {
    objectives: OBJECTIVES.map((objective) => ({
      objective,
      refusal: FITS[objective](kinds)
        ? ((trainer && findObjectiveRefusal(trainer, { objective })?.reason) ?? null)
        : MISFITS[objective],
    })),
    reward_functions: trainer?.rewardFunctions ? [...trainer.rewardFunctions] : null,
    first_run_id: kinds.pairs || kinds.labels ? await findFirst(snapshotId) : null,
  };
}
