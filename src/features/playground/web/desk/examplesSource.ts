// Where actions find the examples of a model. The page sets it, because React Query owns them.
import type { Examples } from '#core/contract/sessionInfo.ts';

export interface ExamplesSource {
  /** Resolves to null if the service knows none, or doesn't answer. */
  readonly load: (model: string) => Promise<Examples | null>;
  /** What was loaded before; null if there is nothing. */
  readonly peek: (model: string) => Examples | null;
}

const NONE: ExamplesSource = { load: async () => null, peek: () => null };

let source = NONE;

/** Sets the source; null: there is none. */
export function setExamplesSource(next: ExamplesSource | null): void {
  source = next ?? NONE;
}

export const loadExamples = (model: string): Promise<Examples | null> =>
  model.trim() === '' ? Promise.resolve(null) : source.load(model).catch(() => null);

export const peekExamples = (model: string): Examples | null => source.peek(model);
