// Models of a run that is training: which can be tried, and what their ids say.
/**
 * A worker sends weights of a checkpoint up to this size, so that they can be tried while the training goes on. Larger ones
 * stay on its machine until the run has ended.
 */
export const TRIED_BYTES = 64e6;

/** What names an experiment in the ids of its models. */
export const toExperimentKey = (experimentId: string): string => experimentId.replaceAll('-', '').slice(0, 8);

/**
 * The id of a model that is trained here: `ft-<base>-<first 8 hex digits of the experiment's id>`, and `-step-338` for one of
 * its checkpoints. `number`: where another model has that id.
 */
export const toTunedId = (baseId: string, experimentId: string, step: number | undefined, number: number): string =>
  `ft-${baseId}-${toExperimentKey(experimentId)}${number === 1 ? '' : `-${number}`}` +
  (step === undefined ? '' : `-step-${step}`);

/** The step in the id of a model of a run; null: it is of no checkpoint. */
export function readTriedStep(id: string): number | null {
  const [, step] = /-step-(\d+)$/.exec(id) ?? [];
  return step === undefined ? null : Number(step);
}

/** Reads the id of a checkpoint's model of any run; null: it is none. */
export function parseTriedId(id: string): { readonly experimentKey: string; readonly step: number } | null {
  const [, experimentKey] = /^ft-.*-([0-9a-f]{8})(?:-\d+)?-step-\d+$/.exec(id) ?? [];
  const step = readTriedStep(id);
  return experimentKey === undefined || step === null ? null : { experimentKey, step };
}
