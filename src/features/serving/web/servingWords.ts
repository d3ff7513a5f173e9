// What is said about the ways to chat with saved weights, and which models open afterwards. Pure.
import { formatBytes } from '#core/contract/numberNotation.ts';
import type { RunCheckpoint, Run } from '#features/runs/shared/runs.ts';
import type { ServingOffer, ServingRequest } from '#features/serving/shared/serving.ts';
import { toCountText } from '#ui/kit/format.ts';

export type ServingWay = ServingOffer['ways'][number];
/** One that a press takes. */
export type TakenWay = ServingWay & Pick<ServingRequest, 'way'>;
export type OfferedFile = ServingOffer['files'][number];
export type ServingBase = NonNullable<ServingWay['bases']>[number];

/** "step 100" or "the final weights". */
export const toCheckpointName = ({ step }: Pick<RunCheckpoint, 'step'>): string =>
  step === null ? 'the final weights' : `step ${toCountText(step)}`;

/** The weights to begin with: those that are served, else the final ones, else the last saved. */
export function toFirstCheckpoint(checkpoints: readonly RunCheckpoint[]): RunCheckpoint | undefined {
  const rank = ({ model_id: model, step }: RunCheckpoint): number =>
    model !== null ? Infinity : (step ?? Number.MAX_VALUE);
  return checkpoints.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))[0];
}

/** As the run names it: a hub name or a path; null: it names none. */
export function toBaseModel({ facts }: Pick<Run, 'facts'>): string | null {
  const value = facts.find(({ name }) => name === 'base_model')?.value;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The ways that a press takes, and the commands to copy; each in the order of the service. */
export function toWayGroups({ ways }: Pick<ServingOffer, 'ways'>): {
  readonly here: readonly TakenWay[];
  readonly commands: readonly ServingWay[];
  /** Servers that can't take the weights, by the reason. */
  readonly refused: readonly { readonly titles: string; readonly reason: string }[];
} {
  const here = ways.filter((each): each is TakenWay => each.way !== 'command');
  const all = ways.filter(({ way }) => way === 'command');
  const titles = new Map<string, string[]>();
  for (const { title, reason } of all) if (reason !== null) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  const isSaid = (reason: string): boolean => here.some((way) => way.reason === reason);
  return {
    here,
    commands: all.filter(({ reason }) => reason === null),
    refused: [...titles].map(([reason, names]) => ({
      titles: names.join(', '),
      reason: isSaid(reason) ? 'Not possible, for the same reason.' : reason,
    })),
  };
}

/** The base to send: the chosen one while it is offered, else the first. Absent: the way asks for none. */
export const toBaseId = (bases: readonly ServingBase[], chosen: string | null): string | undefined =>
  (bases.find(({ id }) => id === chosen) ?? bases[0])?.id;

/** How sure the choice of a base is. `baseModel`: as the run names it; null: it names none. */
export function toBaseNote(bases: readonly ServingBase[], id: string | undefined, baseModel: string | null): string {
  const base = bases.find((each) => each.id === id);
  if (!base) return '';
  if (base.has_fitting_name)
    return `Its name matches the base model of the run, ${baseModel ?? 'which is not recorded'}.`;
  if (baseModel === null) return 'The run records no base model. Choose the one that the adapter was trained on.';
  return bases.some((each) => each.has_fitting_name)
    ? `The run was trained on ${baseModel}, and another model has that name.`
    : `No model has the name of the run’s base model, ${baseModel}. With ` +
        `another model, answers are wrong or the adapter is refused.`;
}

/** Said of a base in the list. */
export function toBaseHint({ reason, has_fitting_name: isFitting }: ServingBase): { readonly hint?: string } {
  if (reason !== null) return { hint: 'another model' };
  return isFitting ? { hint: 'matching name' } : {};
}

/** The button's label. */
export const toActionText = (way: TakenWay['way']): string => (way === 'llama' ? 'Convert and chat' : 'Load and chat');

/** What a file to download holds. `base`: of an adapter, if somebody chooses it. */
export function toFileText({ type, bytes, name }: OfferedFile, base: string | undefined): string {
  const what =
    type === 'adapter' ? `adapter${base === undefined ? '' : ` for ${base}`}` : type === 'GGUF' ? name : type;
  return bytes === null ? what : `${what}, ${formatBytes(bytes)}`;
}

/** Shown while the service works. */
export const toWorkText = (way: TakenWay['way'], base: string | undefined): string =>
  `${way === 'llama' ? 'The weights are being converted' : 'The server is loading the adapter'}` +
  `${base === undefined ? '' : ` for ${base}`}. It continues if you close this dialog.`;

/** The models to open: the served one, and beside it its base if that is one of the models. */
export function toTriedModels(
  modelId: string,
  baseId: string | null | undefined,
  models: readonly { readonly id: string }[] | null | undefined,
): readonly string[] {
  const isThere = typeof baseId === 'string' && baseId !== modelId && models?.some(({ id }) => id === baseId) === true;
  return isThere ? [modelId, baseId] : [modelId];
}
