// What may be chosen of a training beside epochs, batch and learning rate. One record a setting: the request, the fields of
// the dialog, what a trainer refuses and what a run shows follow from it.
// ASSUMED: ours, not in SPEC. A setting that is not sent is the trainer's own.
import * as z from 'zod/mini';
import { SETTING_LABELS, type SettingName } from './trainingLabels.ts';

/** What a training learns from: answers, pairs of answers, answers with a label, or rewards of what the model answers itself. */
export const OBJECTIVES = ['sft', 'dpo', 'kto', 'grpo'] as const;
export type Objective = (typeof OBJECTIVES)[number];

export const SCHEDULERS = ['linear', 'cosine', 'constant'] as const;

interface Setting {
  /** One short sentence for people. */
  readonly about: string;
  /** `names`: a list of texts. */
  readonly kind: keyof Kinds;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** It is one of an adapter: a run that trains all weights has none. */
  readonly isOfAdapter?: true;
  /** It is one of these objectives alone. Missing: of all. */
  readonly of?: readonly Objective[];
  /** What a run has that does not choose it, if choosing that is no choice. */
  readonly isUsual?: string;
  /** What a run has that does not choose it, as text. */
  readonly usual: string;
  /** Why the built-in trainer can't do it, and what to do. Missing: it can. All others can. */
  readonly builtInRefusal?: string;
}

const OTHER = 'Leave it out, or start the service, or a worker, with a trainer that can, such as --trainer trl.';

const TRAINING_SETTINGS = {
  objective: {
    about:
      'What it learns from: sft, answers; dpo, pairs of answers; kto, answers with a label, or pairs; grpo, rewards of what it answers itself.',
    kind: 'objective',
    usual: 'sft',
    isUsual: 'sft',
  },
  beta: {
    about: 'How much it costs to move away from the starting model: a higher one keeps nearer to it.',
    kind: 'number',
    min: 0.001,
    max: 10,
    of: ['dpo', 'kto', 'grpo'],
    usual: '0.1; 0 of grpo',
  },
  desirable_weight: {
    about: 'How much answers with a good label count.',
    kind: 'number',
    min: 0,
    max: 100,
    of: ['kto'],
    usual: '1',
  },
  undesirable_weight: {
    about: 'How much answers with a bad label count.',
    kind: 'number',
    min: 0,
    max: 100,
    of: ['kto'],
    usual: '1',
  },
  reward_function: {
    about: 'Gives each answer of the model a number. The operator adds functions to the trainer; see its README.',
    kind: 'name',
    of: ['grpo'],
    usual: 'none: grpo needs one',
  },
  lora_rank: {
    about: 'Inner width of the adapter: more can be learnt, in more memory.',
    kind: 'integer',
    min: 1,
    max: 256,
    isOfAdapter: true,
    usual: '8',
  },
  lora_alpha: {
    about: 'The adapter counts alpha / rank times.',
    kind: 'number',
    min: 0.01,
    max: 1024,
    isOfAdapter: true,
    usual: 'twice the rank',
  },
  lora_dropout: {
    about: 'Share of the inputs of the adapter that each step leaves out.',
    kind: 'number',
    min: 0,
    max: 0.9,
    isOfAdapter: true,
    usual: '0',
    builtInRefusal: `The built-in trainer computes no dropout. ${OTHER}`,
  },
  target_modules: {
    about: 'Matrices that get an adapter, such as q_proj, v_proj.',
    kind: 'names',
    isOfAdapter: true,
    usual: 'all linear',
    builtInRefusal: `The built-in trainer adapts all matrices of each layer. ${OTHER}`,
  },
  seed: {
    about: 'Decides the order of the rows and the first numbers of an adapter.',
    kind: 'integer',
    min: 0,
    max: 2 ** 31 - 1,
    usual: 'random',
  },
  warmup_steps: {
    about: 'Steps over which the learning rate rises to its peak.',
    kind: 'integer',
    min: 0,
    max: 100_000,
    unit: 'steps',
    usual: "trainer's own",
  },
  weight_decay: {
    about: 'Part of each weight that a step takes away, as a factor of the learning rate.',
    kind: 'number',
    min: 0,
    max: 1,
    usual: "trainer's own",
  },
  scheduler: {
    about: 'How the learning rate falls after its peak.',
    kind: 'scheduler',
    usual: 'cosine',
  },
  max_length: {
    about: 'A longer row is cut.',
    kind: 'integer',
    min: 32,
    max: 1_000_000,
    unit: 'tokens',
    usual: "trainer's own",
  },
} as const satisfies Readonly<Record<SettingName, Setting>>;

export const SETTING_NAMES = Object.keys(TRAINING_SETTINGS) as readonly SettingName[];

export const toSetting = (name: SettingName): Setting & { readonly label: string } => ({
  label: SETTING_LABELS[name],
  ...TRAINING_SETTINGS[name],
});

interface Kinds {
  readonly integer: number;
  readonly number: number;
  readonly scheduler: (typeof SCHEDULERS)[number];
  readonly objective: Objective;
  readonly name: string;
  readonly names: readonly string[];
}
type ValueOf<Name extends SettingName> = Kinds[(typeof TRAINING_SETTINGS)[Name]['kind']];

/** The settings that somebody chose. */
export type ChosenSettings = { readonly [Name in SettingName]?: ValueOf<Name> };

const MOST_NAMES = 32;
/** A name of a matrix, or the end of one, as PEFT takes them. */
const nameSchema = z.string().check(z.regex(/^[\w.-]{1,100}$/, 'must be the name of a matrix, such as "q_proj"'));

/** As it stands in an import: a name of Python. */
const rewardSchema = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a reward function, such as "exact_answer"'));

function toSchema(name: SettingName) {
  const { kind, min = 0, max = Number.MAX_SAFE_INTEGER, label, about, unit, usual } = toSetting(name);
  const said = z.describe(`${label}${unit === undefined ? '' : ` in ${unit}`}. ${about} Not sent: ${usual}.`);
  switch (kind) {
    case 'integer':
      return z.int().check(z.minimum(min), z.maximum(max), said);
    case 'number':
      return z.number().check(z.minimum(min), z.maximum(max), said);
    case 'scheduler':
      return z.enum(SCHEDULERS).check(said);
    case 'objective':
      return z.enum(OBJECTIVES).check(said);
    case 'name':
      return rewardSchema.check(said);
    case 'names':
      return z.array(nameSchema).check(z.minLength(1), z.maxLength(MOST_NAMES), said);
  }
}

type SettingShape = {
  readonly [Name in SettingName]: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniType<ValueOf<Name>, ValueOf<Name>>>>;
};

/** Fields of a request; null is as good as not sent. */
export const settingShape = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, z.optional(z.nullable(toSchema(name)))]),
) as unknown as SettingShape;

/** What was chosen, without the rest: fields of other names are left out. */
export const chosenSchema = z.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, z.optional(toSchema(name))])) as unknown as {
    readonly [Name in SettingName]: z.ZodMiniOptional<z.ZodMiniType<ValueOf<Name>, ValueOf<Name>>>;
  },
);

/** Of an object with any fields, those settings that somebody chose. */
export const toChosen = (given: {
  readonly [Name in SettingName]?: ValueOf<Name> | null | undefined;
}): ChosenSettings =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = given[name];
      return value == null || value === toSetting(name).isUsual ? [] : [[name, value]];
    }),
  );

/** As the fields of a request. */
export const toRequested = ({ target_modules: modules, ...chosen }: ChosenSettings) => ({
  ...chosen,
  ...(modules && { target_modules: [...modules] }),
});

/** Reads what a service sends of them; what has another form is left out. */
export function readChosen(value: unknown): ChosenSettings {
  const parsed = chosenSchema.safeParse(value);
  return parsed.success ? toChosen(parsed.data) : {};
}

/** Names with commas or spaces between them, as a person types them. */
export function parseModules(text: string): { readonly names: readonly string[]; readonly problem: string | null } {
  const names = [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))];
  const odd = names.find((name) => !nameSchema.safeParse(name).success);
  const problem =
    odd !== undefined
      ? `${odd}: type names of matrices such as q_proj, with commas between them.`
      : names.length > MOST_NAMES
        ? `At most ${MOST_NAMES} target modules.`
        : null;
  return { names, problem };
}

/** Such as `LoRA rank 16`; null: it is not chosen. */
export function toSettingText(name: SettingName, chosen: ChosenSettings): string | null {
  const value = chosen[name];
  if (value === undefined) return null;
  return `${toSetting(name).label} ${typeof value === 'object' ? value.join(' ') : value}`;
}

/** What is wrong with a number of a setting; null: nothing. */
export function findSettingProblem(name: SettingName, value: number): string | null {
  const { label, kind, min, max } = toSetting(name);
  return toSchema(name).safeParse(value).success
    ? null
    : `${label} must be a ${kind === 'integer' ? 'whole ' : ''}number from ${min} to ${max}.`;
}

/** Without the settings that a run which trains all weights can't have. */
export const withoutAdapter = (chosen: ChosenSettings): ChosenSettings =>
  toChosen(Object.fromEntries(Object.entries(chosen).filter(([name]) => !toSetting(name as SettingName).isOfAdapter)));

/**
 * The part of a learning rate for single answers with which a model learns preferences or rewards. Measured for DPO on pairs of
 * the sample, in batches of 8: of 60 answers, 1 is as preferred before; with 5e-5 all are, with 1.5e-4 54 (LoRA: with 1e-4 59, with
 * 3e-4 all, with 1e-3 21). More breaks what the model could do. KTO takes the same rates.
 */
const PREFERENCE_SHARE = 1 / 60;

/** A learning rate for one objective as one for another, with three digits. */
export function toRateOf(rate: number, from: Objective, to: Objective): number {
  const [was, is] = [from !== 'sft', to !== 'sft'];
  return was === is ? rate : Number((is ? rate * PREFERENCE_SHARE : rate / PREFERENCE_SHARE).toPrecision(3));
}

/** With another objective, and without the settings that it does not have. */
export const withObjective = (chosen: ChosenSettings, objective: Objective): ChosenSettings =>
  toChosen({
    ...Object.fromEntries(
      Object.entries(chosen).filter(([name]) => toSetting(name as SettingName).of?.includes(objective) !== false),
    ),
    objective,
  });

export interface SettingProblem {
  readonly name: SettingName;
  readonly reason: string;
}

/** A setting that contradicts the way of training; the reason follows its name, without a full stop. null: none. */
export function findContradiction(chosen: ChosenSettings, isFull: boolean): SettingProblem | null {
  const { objective = 'sft' } = chosen;
  for (const name of SETTING_NAMES) {
    const { isOfAdapter, of } = toSetting(name);
    if (chosen[name] === undefined) continue;
    if (isFull && isOfAdapter)
      return {
        name,
        reason: 'is a setting of an adapter, and the run trains all weights. Leave it out, or train with LoRA',
      };
    if (of?.includes(objective) === false)
      return {
        name,
        reason: `is a setting of the objective ${of.join(', ')}, and the run has ${objective}. Leave it out, or choose that objective`,
      };
  }
  return objective === 'grpo' && chosen.reward_function === undefined
    ? {
        name: 'reward_function',
        reason: 'is missing, and GRPO learns from the rewards of a function. Choose one by its name',
      }
    : null;
}

const isGiven = (name: SettingName): object => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
});

/** What `findContradiction` says of objectives, as parts of a JSON schema that all must hold. */
export const OBJECTIVE_RULES: readonly object[] = [
  ...SETTING_NAMES.flatMap((name) => {
    const { of } = toSetting(name);
    const isOther = { not: { required: ['objective'], properties: { objective: { enum: of } } } };
    return of === undefined ? [] : [{ not: { allOf: [isGiven(name), isOther] } }];
  }),
  {
    not: {
      allOf: [
        { required: ['objective'], properties: { objective: { const: 'grpo' } } },
        { not: isGiven('reward_function') },
      ],
    },
  },
];

/** What the built-in trainer can't do, by setting. */
export const BUILT_IN_REFUSALS: Readonly<Partial<Record<SettingName, string>>> = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => {
    const { builtInRefusal } = toSetting(name);
    return builtInRefusal === undefined ? [] : [[name, builtInRefusal]];
  }),
);

/** A setting that a trainer refuses; null: none. 0 is what a trainer does that has no such setting. */
export function findRefusedSetting(
  chosen: ChosenSettings,
  refusals: Readonly<Partial<Record<SettingName, string>>>,
): SettingProblem | null {
  for (const name of SETTING_NAMES) {
    const reason = refusals[name];
    if (reason !== undefined && chosen[name] !== undefined && chosen[name] !== 0) return { name, reason };
  }
  return null;
}

const DEFAULT_RANK = 8;

/** Rank and alpha of an adapter. ASSUMED: where nothing is chosen, what small models learn well with. */
export function toAdapter({ lora_rank: rank = DEFAULT_RANK, lora_alpha: alpha = rank * 2 }: ChosenSettings): {
  readonly rank: number;
  readonly alpha: number;
} {
  return { rank, alpha };
}
