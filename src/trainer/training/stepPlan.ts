// Which batch each step of a run trains on, and which part of the epochs is done with it.

export interface StepPlan {
  /** Of all epochs, one after the other: the batch of step 1 first. */
  readonly batches: readonly (readonly number[])[];
  /** `epoch`: epochs that are done with a step (from 1 on), with the part of the current one. */
  toPlace(step: number): { readonly epoch: number; readonly isEpochEnd: boolean };
}

/** `epochs`: the batches of each. */
export function toStepPlan(epochs: readonly (readonly (readonly number[])[])[]): StepPlan {
  const ends: number[] = [];
  for (const { length } of epochs) ends.push(length + (ends.at(-1) ?? 0));
  return {
    batches: epochs.flat(),
    toPlace(step) {
      const done = ends.findLast((end) => end <= step) ?? 0;
      const index = ends.indexOf(done) + 1;
      return { epoch: index + (step - done) / (epochs[index]?.length ?? 1), isEpochEnd: ends.includes(step) };
    },
  };
}
