// What the studio knows of trainers: a command, and what it can train.
import { findRefusedSetting, type ChosenSettings, type Objective } from '#core/contract/trainingSettings.ts';
import type { SettingName } from '#core/contract/trainingLabels.ts';
import type { TrainingType } from '#features/training/shared/createJob.ts';
import type { RunHalving } from '#features/training/shared/halving.ts';
import { Refusal } from '#service/http/refusal.ts';

/** A base model as a trainer gets it. Paths are absolute. */
export interface TrainingBase {
  readonly id: string;
  /** GGUF file with the weights; null: this studio has none. */
  readonly file: string | null;
  /** GGUF adapter on `file`. */
  readonly adapter: string | null;
}

export interface Trainer {
  /** For people: what trains. */
  readonly name: string;
  /** Program and arguments; the path of the job file comes after them. */
  readonly command: readonly string[];
  /** That it may use for a run, as far as the studio knows. */
  readonly threads?: number;
  /** Why it can't train a base, with what to do; null: it can. Missing: it decides for itself when it runs. */
  readonly refuse?: (base: TrainingBase) => Promise<string | null>;
  /** Why it can't train in this way, with what to do; null: it can. Missing: it decides for itself when it runs. */
  readonly refuseType?: (type: TrainingType) => string | null;
  /** Why it can't do a setting, with what to do. One that is missing is obeyed, or it decides for itself when it runs. */
  readonly refusedSettings?: Readonly<Partial<Record<SettingName, string>>>;
  /** It obeys `pause_at` of a job. Missing: it trains to the end, so it takes no part in successive halving. */
  readonly canPause?: true;
  /** What it announces that it can learn from. Missing: not known, so sft alone. */
  readonly objectives?: readonly Objective[];
  /** The names of the operator's reward functions; null or missing: not known, so it decides for itself when it runs. */
  readonly rewardFunctions?: readonly string[] | null;
}

/** Why it can't learn from this, with what to do; null: it can. */
export function findObjectiveRefusal(
  { name, objectives: announced, rewardFunctions = null }: Trainer,
  { objective = 'sft', reward_function: reward }: ChosenSettings,
): { readonly name: 'objective' | 'reward_function'; readonly reason: string } | null {
  const objectives = announced ?? ['sft'];
  if (!objectives.includes(objective)) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const known = announced
      ? `${title} trains ${objectives.join(', ')}, and not ${objective}.`
      : `${title} does not say that it trains ${objective}. If it does, add --objectives sft,${objective} to its command.`;
    return {
      name: 'objective',
      reason: `${known} Choose ${objectives.join(' or ')}, or start the service, or a worker, with a trainer that can, such as --trainer trl.`,
    };
  }
  if (reward === undefined || rewardFunctions === null || rewardFunctions.includes(reward)) return null;
  const known = rewardFunctions.length === 0 ? 'It has none' : `It has ${rewardFunctions.join(', ')}`;
  return {
    name: 'reward_function',
    reason: `The trainer has no reward function ${reward}. ${known}. Its operator adds them with --rewards FOLDER.`,
  };
}

/** Why a trainer takes no part in successive halving. */
export const NO_PAUSE =
  'Successive halving needs a trainer that pauses at a given step, and this one does not. Start the service, or a worker, ' +
  'with the built-in trainer, or start the runs without halving.';

/** Why it can't train a run, with what to do; null: it can, or there is no base, which the run itself says. */
export async function findRefusal(
  trainer: Trainer,
  {
    training_type: type,
    chosen,
    halving,
  }: {
    readonly training_type: TrainingType;
    readonly chosen: ChosenSettings;
    readonly halving: RunHalving | null;
  },
  findBase: () => Promise<TrainingBase>,
): Promise<string | null> {
  const { refuse, refuseType, refusedSettings = {}, canPause } = trainer;
  if (halving !== null && canPause !== true) return NO_PAUSE;
  const refused =
    refuseType?.(type) ??
    findRefusedSetting(chosen, refusedSettings)?.reason ??
    findObjectiveRefusal(trainer, chosen)?.reason;
  return refused ?? (refuse ? findBase().then(refuse, () => null) : null);
}

export class TrainingProblem extends Refusal {
  override readonly name = 'TrainingProblem';
  constructor(status: number, message: string, code: string, param: string | null = null) {
    // Runs are trained all the time.
    super(status, message, code, param, '60');
  }
}

/** What people read where nothing trains. */
export const NO_TRAINER =
  'Nothing trains here. Start a worker on any machine with "model-studio worker --studio URL --token-file FILE", or the ' +
  'service without --trainer none.';
