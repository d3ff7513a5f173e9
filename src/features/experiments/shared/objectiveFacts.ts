// What a candidate learns from, and the settings that its objective has. Pure.
import type { Objective } from '#core/contract/trainingSettings.ts';
import type { Candidate } from './candidates.ts';
import { findPackedText } from './packedBatch.ts';
import type { BatchLimits } from './trainingMemory.ts';

export interface ObjectiveFacts {
  readonly name: Objective;
  /** What a batch is counted in. */
  readonly unit: string;
  readonly limits: BatchLimits;
  /** What nobody chose is as in the studio's own trainer and in TRL. */
  readonly settings: Readonly<Record<SettingOfObjective, number>>;
  /** What its batch was in rows where the studio trained it; null: nobody measured it. */
  readonly packed: string | null;
}

const USUAL = { beta: 0.1, desirable_weight: 1, undesirable_weight: 1 } as const;
type SettingOfObjective = keyof typeof USUAL;

/** A pair is two rows in memory. KTO by TRL compares each answer with another one that is on the device at once. */
const BY_OBJECTIVE: Readonly<Record<Objective, Pick<ObjectiveFacts, 'unit' | 'limits'>>> = {
  sft: { unit: 'rows', limits: {} },
  dpo: { unit: 'pairs', limits: { most: 2 } },
  kto: { unit: 'answers', limits: { least: 2 } },
  grpo: { unit: 'answers', limits: {} },
};

/** As it was chosen, or as a job writes it down; null: neither. */
function findSetting({ chosen, extras }: Candidate, name: SettingOfObjective): number | null {
  const value = chosen[name] ?? extras.find((each) => each.name === name)?.value;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** As the service names it: the field `method` of a run, or the chosen objective; null: not known. */
export function toMethod({ chosen, extras }: Candidate): string | null {
  const method = extras.find(({ name }) => name === 'method')?.value ?? chosen.objective ?? null;
  return method === null ? null : String(method).toLowerCase();
}

const isObjective = (name: string): name is Objective => Object.hasOwn(BY_OBJECTIVE, name);

export function toObjectiveFacts(candidate: Candidate): ObjectiveFacts {
  const method = toMethod(candidate) ?? 'sft';
  const name = isObjective(method) ? method : 'sft';
  const toSetting = (setting: SettingOfObjective): number => findSetting(candidate, setting) ?? USUAL[setting];
  return {
    name,
    ...BY_OBJECTIVE[name],
    settings: {
      beta: toSetting('beta'),
      desirable_weight: toSetting('desirable_weight'),
      undesirable_weight: toSetting('undesirable_weight'),
    },
    packed: findPackedText(candidate),
  };
}
