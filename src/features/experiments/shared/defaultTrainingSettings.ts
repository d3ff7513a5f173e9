// The settings of a training that services give no advice on. Every format writes the same ones, so that a candidate
// trains the same way whichever trainer is used.
import type { Candidate } from './candidates.ts';
import { toObjectiveFacts } from './objectiveFacts.ts';

/** Names that all trainers share: SchedulerType of transformers. */
const SCHEDULERS = ['linear', 'cosine', 'constant', 'constant_with_warmup', 'polynomial'] as const;
/** Likewise: OptimizerNames of transformers. */
const OPTIMIZERS = [
  'adamw_torch',
  'adamw_torch_fused',
  'adamw_8bit',
  'adamw_bnb_8bit',
  'paged_adamw_8bit',
  'paged_adamw_32bit',
  'adafactor',
  'sgd',
] as const;

type Scheduler = (typeof SCHEDULERS)[number];
type Optimizer = (typeof OPTIMIZERS)[number];

export interface Recipe {
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** How it differs from what the service gave; null if it does not. */
  readonly schedulerNote: string | null;
  /** A number of steps: not every version of every trainer has a share of them. */
  readonly warmupSteps: number;
  readonly optimizer: Optimizer;
  /** Like `schedulerNote`. */
  readonly optimizerNote: string | null;
  readonly weightDecay: number;
  /** One line: which of these are not the service's advice. */
  readonly note: string;
}

const SEED = 42;
/** A tenth of the fewest steps that make sense, 100. */
const WARMUP_STEPS = 10;

/** The value of the first extra parameter with such a name that is usable. */
function findGiven<T>({ extras }: Candidate, names: RegExp, toUsable: (value: unknown) => T | null): T | null {
  for (const { name, value } of extras) {
    const usable = names.test(name) ? toUsable(value) : null;
    if (usable !== null) return usable;
  }
  return null;
}

const toWhole = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
const toAmount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
const toText = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** A setting that trainers know by name. `isGiven`: the service's own, though a part of it may be missing. */
interface Named<Name extends string> {
  readonly name: Name;
  readonly note: string | null;
  readonly isGiven: boolean;
}

function toNamed<Name extends string>(given: string | null, known: readonly Name[], otherwise: Name): Named<Name> {
  if (given === null) return { name: otherwise, note: null, isGiven: false };
  const plain = given.trim().toLowerCase();
  const name = known.find((one) => one === plain);
  if (name !== undefined) return { name, note: null, isGiven: true };
  const note = `the service gave "${given.slice(0, 80)}", which trainers have no name for: ${otherwise} is written`;
  return { name: otherwise, note, isGiven: false };
}

/** `cosine to 10 %` of the local studio: trainers have no common name for a cosine with a floor. */
const COSINE_FLOOR = /^cosine to (\d+(?:\.\d+)?) ?%$/i;

/** The scheduler `constant` of trainers leaves out the warm-up. */
function toScheduler(given: string | null, warmup: number | null): Named<Scheduler> {
  const floor = COSINE_FLOOR.exec(given?.trim() ?? '')?.[1];
  if (floor !== undefined)
    return {
      name: 'cosine',
      note: `the service gave a cosine to ${floor} %: the floor of ${floor} % is not set`,
      isGiven: true,
    };
  const named = toNamed(given, SCHEDULERS, 'linear');
  if (named.name !== 'constant' || warmup === null || warmup === 0) return named;
  const note = 'the service gave constant and a warm-up, and constant alone would leave out the warm-up';
  return { name: 'constant_with_warmup', note, isGiven: true };
}

/** The plain name `adamw` is that of PyTorch. */
const toOptimizer = (given: string | null): Named<Optimizer> =>
  /^adamw$/i.test(given?.trim() ?? '')
    ? { name: 'adamw_torch', note: null, isGiven: true }
    : toNamed(given, OPTIMIZERS, 'adamw_torch');

/**
 * True if the candidate repeats a training to see how results vary by chance. The wire has no field for it: the local
 * studio says it in the reason.
 */
const isRepeat = ({ reason_for_recommendation: reason }: Candidate): boolean =>
  /\bwith another seed\b/i.test(reason ?? '');

export function toRecipe(candidate: Candidate): Recipe {
  const { chosen } = candidate;
  const seed = chosen.seed ?? findGiven(candidate, /^seed$/i, toWhole);
  const warmup = chosen.warmup_steps ?? findGiven(candidate, /^warmup_steps$/i, toWhole);
  const scheduler = toScheduler(chosen.scheduler ?? findGiven(candidate, /^(lr_)?scheduler(_type)?$/i, toText), warmup);
  const optimizer = toOptimizer(findGiven(candidate, /^optim(izer)?$/i, toText));
  const decay = chosen.weight_decay ?? findGiven(candidate, /^weight_decay$/i, toAmount);
  const isOther = seed === null && isRepeat(candidate);
  const recipe = {
    seed: seed ?? (isOther ? SEED + 1 : SEED),
    scheduler: scheduler.name,
    schedulerNote: scheduler.note,
    warmupSteps: warmup ?? (scheduler.name === 'constant' ? 0 : WARMUP_STEPS),
    optimizer: optimizer.name,
    optimizerNote: optimizer.note,
    weightDecay: decay ?? 0,
  } as const;
  const ours = [
    ...(scheduler.isGiven ? [] : [`${recipe.scheduler} scheduler`]),
    ...(warmup === null ? [`${recipe.warmupSteps} steps of warm-up`] : []),
    ...(seed === null ? [`seed ${recipe.seed}${isOther ? ' (a repeat: other configs have 42)' : ''}`] : []),
    ...(optimizer.isGiven ? [] : [`${recipe.optimizer} optimizer`]),
    ...(decay === null ? ['no weight decay'] : []),
    `no packing, so a batch is a number of ${toObjectiveFacts(candidate).unit}`,
  ];
  return { ...recipe, note: `not the service's advice, the same in every format: ${ours.join(', ')}` };
}
