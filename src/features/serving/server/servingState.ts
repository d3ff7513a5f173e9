// What is served now, for the runs that name their models.
import type { ModelFile } from '#engine/engine.ts';
import { hasFittingName } from './modelNames.ts';
import type { ServedModel } from './servedList.ts';

interface ServedRun {
  readonly model_id: string;
  /** The model that the adapter runs on, if that is served; null: it is not, or the engine was not told. */
  readonly base_model_id: string | null;
}

export interface ServingState {
  /** The model of each run that has one, the last that was asked for. */
  readonly byRun: ReadonlyMap<string, ServedRun>;
  /** The local model with the name of the base that a run recorded; null: none, or the run recorded none. */
  readonly findBase: (baseModel: string | null) => string | null;
}

/** The list keeps bases of llama.cpp by their paths. */
export const toBaseId = ({ way, base }: ServedModel, bases: readonly ModelFile[]): string | null =>
  way === 'engine' ? base : (bases.find((file) => file.path === base)?.id ?? null);

/** The state of models that answer. The same object while nothing changes. */
export function openServingState(): (models: readonly ServedModel[], bases: readonly ModelFile[]) => ServingState {
  let last: { readonly key: string; readonly state: ServingState } | null = null;
  return (models, bases) => {
    const entries = models.map(
      (model) => [model.run_id, { model_id: model.id, base_model_id: toBaseId(model, bases) }] as const,
    );
    const key = JSON.stringify([entries, bases.map(({ id, path, aliases }) => [id, path, aliases])]);
    if (last?.key === key) return last.state;
    const findBase: ServingState['findBase'] = (baseModel) =>
      bases.find((base) => hasFittingName(base, baseModel))?.id ?? null;
    last = { key, state: { byRun: new Map(entries), findBase } };
    return last.state;
  };
}
