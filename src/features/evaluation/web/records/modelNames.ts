// What models are called: runs by their place in the tree, others by their ids.
import { createContext, useContext } from 'react';
import type { ModelOption } from '#features/playground/web/desk/modelOptions.ts';

/** The models that the project and the service offer. */
export const ModelChoices = createContext<readonly ModelOption[]>([]);

export const toModelName = (options: readonly ModelOption[], model: string): string =>
  options.find(({ value }) => value === model)?.short ?? model;

/** Gives a model's name by its id. */
export function useModelNames(): (model: string) => string {
  const options = useContext(ModelChoices);
  return (model) => toModelName(options, model);
}
