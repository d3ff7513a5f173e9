// What models are called: runs by their place in the tree, others by their ids.
import { createContext, useContext } from 'react';
import { nodeLabel } from '#core/contract/projectReader.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { spreadOver } from '#features/evaluation/shared/spreadOver.ts';
import type { Checkpoint, ModelOption } from '#features/playground/web/desk/modelOptions.ts';

/** The models that the project and the service offer. */
export const ModelChoices = createContext<readonly ModelOption[]>([]);

export const toModelName = (options: readonly ModelOption[], model: string): string =>
  options.find(({ value }) => value === model)?.short ?? model;

/** The model that the service compares with where nobody chose one: what another of them was trained from, or the first. */
export const toDefaultBaseline = (options: readonly ModelOption[], models: readonly string[]): string | undefined =>
  models.find((model) => options.some(({ value, base }) => base === model && models.includes(value))) ?? models[0];

interface CheckpointRun {
  readonly id: string;
  readonly label: string;
  /** Its checkpoints that are not chosen yet, by step. */
  readonly models: readonly string[];
}

const isCheckpoint = (option: ModelOption): option is Checkpoint => 'run' in option;

/** The runs that have two or more checkpoints to choose. */
export function toCheckpointRuns(options: readonly ModelOption[], chosen: readonly string[]): readonly CheckpointRun[] {
  const runs = new Map<string, Checkpoint[]>();
  for (const option of options)
    if (isCheckpoint(option) && !chosen.includes(option.value))
      runs.set(option.run.id, [...(runs.get(option.run.id) ?? []), option]);
  return [...runs.values()].flatMap((own) => {
    const [first] = own;
    const models = own.toSorted((a, b) => a.step - b.step).map(({ value }) => value);
    return first && own.length > 1 ? [{ id: first.run.id, label: nodeLabel(first.run), models }] : [];
  });
}

interface TakenCheckpoints {
  readonly models: readonly string[];
  /** How many were taken; empty: all. */
  readonly note: string;
}

/** Checkpoints of a run beside so many models, with the first and the last. */
export function takeCheckpoints({ label, models }: CheckpointRun, chosen: number): TakenCheckpoints {
  const taken = spreadOver(models, EVALUATION_LIMITS.models - chosen);
  const note =
    taken.length === models.length
      ? ''
      : `${taken.length} of the ${models.length} checkpoints of ${label} were taken, evenly spread: an evaluation has at most ` +
        `${EVALUATION_LIMITS.models} models.`;
  return { models: taken, note };
}

/** Gives a model's name by its id. */
export function useModelNames(): (model: string) => string {
  const options = useContext(ModelChoices);
  return (model) => toModelName(options, model);
}
