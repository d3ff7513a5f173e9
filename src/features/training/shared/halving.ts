// Successive halving: all candidates of a job train to a share of their steps (a rung), the best part of them goes on to the
// next one, and the others stop. Candidates are settings: runs that differ by their seed alone are judged together. Pure.
// Source: Jamieson and Talwalkar 2016 (arXiv:1502.07943); `eta` is theirs.
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { SETTING_NAMES, toChosen, toSetting } from '#core/contract/trainingSettings.ts';
import type { SettingName } from '#core/contract/trainingLabels.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toNewTrainingType, type ChosenHalving, type CreateJob, type NewExperiment } from './createJob.ts';

export interface Halving {
  readonly eta: number;
  readonly min_share: number;
}

/** How a run takes part. `rung`: the one that it comes to next, from 0; null: it trains to its end. */
export interface RunHalving extends Halving {
  readonly rung: number | null;
  readonly is_stopped_early: boolean;
}

/** Equal for runs that differ by their seed alone. */
export const toSettingsKey = (run: NewExperiment): string => {
  const chosen = toChosen(run);
  return JSON.stringify([
    run.base_model_id,
    toNewTrainingType(run),
    run.n_epochs,
    run.batch_size,
    run.learning_rate_multiplier,
    run.refinetune_from_experiment_id?.toLowerCase() ?? null,
    SETTING_NAMES.map((name) => (name === 'seed' ? null : (chosen[name] ?? null))),
  ]);
};

export const countCandidates = (runs: readonly NewExperiment[]): number => new Set(runs.map(toSettingsKey)).size;

/** What the loss itself is made of: of longer rows more is left, and another tokenizer has other tokens. */
const LOSS_NAMES = SETTING_NAMES.filter(
  (name) => name === 'objective' || name === 'max_length' || toSetting(name).of !== undefined,
);

export interface OtherLoss {
  /** The run, from 0. */
  readonly at: number;
  readonly name: SettingName | 'base_model_id';
}

/** The first run whose loss can't be compared with that of the first one, and the field why; null: all can. */
export function findOtherLoss(runs: readonly NewExperiment[]): OtherLoss | null {
  const [first] = runs;
  if (first === undefined) return null;
  const wanted = toChosen(first);
  for (const [at, run] of runs.entries()) {
    const chosen = toChosen(run);
    const name =
      run.base_model_id === first.base_model_id
        ? LOSS_NAMES.find((each) => chosen[each] !== wanted[each])
        : 'base_model_id';
    if (name !== undefined) return { at, name };
  }
  return null;
}

/** What a person is told of it. */
export const toOtherLossText = ({ name }: OtherLoss): string => {
  const label = name === 'base_model_id' ? 'base model' : toSetting(name).label.toLowerCase();
  return (
    `Candidates are compared by their validation loss, and a run with another ${label} has another loss. Give all runs ` +
    `the same ${label}, or train all to the end.`
  );
};

/** How each run of a new job takes part; null: it does not. */
export const toRunHalving = ({ studio, experiments }: CreateJob): RunHalving | null =>
  studio?.halving == null
    ? null
    : { ...toHalving(studio.halving, countCandidates(experiments)), rung: 0, is_stopped_early: false };

/** What was not chosen: as many rungs as leave one candidate, the first at a tenth of the steps or later. */
export function toHalving(chosen: ChosenHalving, candidates: number): Halving {
  const { usualEta, usualShare } = JOB_LIMITS.halving;
  const by = chosen.eta ?? usualEta;
  let share = 1 / by;
  for (let left = candidates / by / by; left >= 1 && share / by >= usualShare; left /= by) share /= by;
  return { eta: by, min_share: chosen.min_share ?? share };
}

/** How many of the candidates at a rung go on. */
const toKept = (candidates: number, { eta: by }: Halving): number => Math.max(1, Math.floor(candidates / by));

/** The share of the steps at which a rung is. */
export const toRungShare = ({ eta: by, min_share: first }: Halving, rung: number): number => first * by ** rung;

/** The rung after one at which so many were kept; null: they train to their ends. */
export const toNextRung = (halving: Halving, rung: number, kept: number): number | null =>
  kept > 1 && toRungShare(halving, rung + 1) < 1 - 1e-9 ? rung + 1 : null;

/** The shares of the steps at which candidates are compared. */
export function toRungShares(candidates: number, halving: Halving): readonly number[] {
  const shares: number[] = [];
  let going = candidates;
  for (let rung: number | null = 0; rung !== null; rung = toNextRung(halving, rung, going)) {
    shares.push(toRungShare(halving, rung));
    going = toKept(going, halving);
  }
  return shares;
}

/** The expected part of the steps of all candidates that is trained, from 0 to 1, if all have as many steps. */
export function toTrainedShare(candidates: number, halving: Halving): number {
  let [trained, from, going] = [0, 0, candidates];
  for (const share of toRungShares(candidates, halving)) {
    trained += (share - from) * going;
    going = toKept(going, halving);
    from = share;
  }
  return candidates === 0 ? 1 : (trained + (1 - from) * going) / candidates;
}

/** A run that came to a rung, or ended before it. */
export interface RungRun {
  readonly id: string;
  /** Of its settings. */
  readonly key: string;
  /** paused: it is at the rung; going: it is not there yet; done: it has a model already. */
  readonly state: 'paused' | 'going' | 'done' | 'failed' | 'stopped';
  /** The validation loss there; null: none was measured, or it is no finite number. */
  readonly loss: number | null;
}

export interface Verdict {
  readonly goesOn: boolean;
  /** Of its settings, from 1, and among how many. */
  readonly place: number;
  readonly of: number;
  /** The mean of its settings, and that of the best; null: a seed failed, or none was measured. */
  readonly loss: number | null;
  readonly best: number | null;
  /** The runs that have its settings. */
  readonly seeds: number;
}

/** A failed seed says that the settings are no good; one that a person stopped says nothing. Infinity: last. */
function toGroupLoss(runs: readonly RungRun[]): number {
  if (runs.some(({ state }) => state === 'failed')) return Number.POSITIVE_INFINITY;
  const measured = runs.filter(({ state }) => state !== 'stopped');
  const sum = measured.reduce((all, { loss }) => all + (loss ?? Number.POSITIVE_INFINITY), 0);
  return measured.length === 0 ? Number.POSITIVE_INFINITY : sum / measured.length;
}

/**
 * What becomes of each paused run, by its id. The lowest mean loss is the best; equals keep their order. null: not all have
 * come to the rung yet. `kept`: how many settings of paused runs go on.
 */
export function judgeRung(
  runs: readonly RungRun[],
  halving: Halving,
): { readonly kept: number; readonly verdicts: ReadonlyMap<string, Verdict> } | null {
  if (runs.some(({ state }) => state === 'going')) return null;
  const groups = [...toGroups(runs, ({ key }) => key).values()]
    .map((members) => ({ members, loss: toGroupLoss(members) }))
    .toSorted((one, other) => (one.loss === other.loss ? 0 : one.loss - other.loss));
  const best = groups.slice(0, toKept(groups.length, halving));
  const kept = best.filter(({ members }) => members.some(({ state }) => state === 'paused')).length;
  const toValue = (loss: number | undefined): number | null => (Number.isFinite(loss) ? (loss ?? null) : null);
  const verdicts = groups.flatMap(({ members, loss }, at) => {
    const verdict: Verdict = {
      goesOn: at < best.length,
      place: at + 1,
      of: groups.length,
      loss: toValue(loss),
      best: toValue(groups[0]?.loss),
      seeds: members.length,
    };
    return members.flatMap(({ id, state }) => (state === 'paused' ? [[id, verdict] as const] : []));
  });
  return { kept, verdicts: new Map(verdicts) };
}
