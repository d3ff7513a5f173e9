// Names of models: which one fits the base that a run recorded, and what a served one is called.
import type { ServingOffer } from '#features/serving/shared/serving.ts';
import type { ModelFile } from '#engine/engine.ts';

const MAX_ID = 100;

export type NamedModel = Pick<ModelFile, 'id' | 'path' | 'aliases'>;

/** Letters and digits of the last part of a name, without what says how a file is packed. */
const toBaseWord = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/\.gguf$|[-_.](?:gguf|bnb[-_]4bit|4bit|unsloth|q\d\w*|iq\d\w*|f16|f32|bf16)(?=$|[-_.])/g, '')
    .replace(/[^a-z0-9]/g, '');

/** Whether a local model has the name of the base that a run recorded. */
export function hasFittingName({ id, path, aliases }: NamedModel, baseModel: string | null): boolean {
  const word = toBaseWord(baseModel ?? '');
  return word !== '' && [id, path, ...aliases].some((name) => toBaseWord(name) === word);
}

/** A model that only its name describes. */
export const toNamed = (id: string): NamedModel => ({ id, path: id, aliases: [] });

export type OfferedBase = NonNullable<ServingOffer['ways'][number]['bases']>[number];
type JudgedBase = Pick<OfferedBase, 'reason' | 'notes'>;

const toRank = ({ reason, has_fitting_name: isFitting }: OfferedBase): number =>
  (reason === null ? 0 : 2) + (isFitting ? 0 : 1);

/** Those that can be the base first, of these the fitting names. */
export const toOffered = (
  models: readonly NamedModel[],
  baseModel: string | null,
  toJudged: (model: NamedModel) => JudgedBase = () => ({ reason: null, notes: [] }),
): OfferedBase[] =>
  models
    .map((model) => ({ ...toJudged(model), id: model.id, has_fitting_name: hasFittingName(model, baseModel) }))
    .toSorted((a, b) => toRank(a) - toRank(b));

/** A name without blanks that no model has: the run's label and the step. */
export function toModelId(label: string, step: number | null, taken: ReadonlySet<string>): string {
  const word = label.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '') || 'run';
  const id = `${word.slice(0, MAX_ID)}${step === null ? '' : `-${step}`}`;
  let [free, number] = [id, 2];
  while (taken.has(free)) {
    free = `${id}-${number}`;
    number += 1;
  }
  return free;
}
