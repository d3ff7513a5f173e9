// A part of the page whose code comes when it is first shown. Where the code does not arrive, the part says so in its own
// place, and nothing around it is lost. It must not know which part.
import { createElement, lazy, type ComponentType, type FunctionComponent, type LazyExoticComponent } from 'react';
import { LostPart } from './LostPart';

/** What stands where the code of a part did not arrive. `name` stands for the part, as a noun: "The plot". */
export const toLost = (name: string): FunctionComponent<object> => () => createElement(LostPart, { name });

export function toLatePart<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => toLost(name)) }));
}
