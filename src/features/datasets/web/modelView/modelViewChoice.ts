// Through which model rows are seen: one choice for the row, the statistics and the findings. It lasts as long as the page.
import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { trainingBasesQuery } from '#features/training/web/api/trainingQueries.ts';

interface SeenChoice {
  /** null: none was chosen, so it is the first that can be trained. */
  readonly model: string | null;
  /** Tokens; null: the model's own context. */
  readonly context: number | null;
  /** Rows open as the model sees them, not as a chat. */
  readonly isSeen: boolean;
}

const useChoice = create<SeenChoice>(() => ({ model: null, context: null, isSeen: false }));

export const chooseSeen = (choice: Partial<SeenChoice>): void =>
  // Another model has another context.
  useChoice.setState(choice.model === undefined ? choice : { context: null, ...choice });

export interface SeenModel extends SeenChoice {
  /** The models that are here as files. */
  readonly models: readonly string[];
  /** They are not known yet. */
  readonly isLoading: boolean;
}

/** The model that is chosen, or the first one; null: this studio has none as a file. */
export function useSeenModel(): SeenModel {
  const { data, isLoading } = useQuery(trainingBasesQuery());
  const { model, context, isSeen } = useChoice();
  const bases = data?.bases ?? [];
  const models = bases.map(({ id }) => id);
  const first = bases.find(({ refusal }) => refusal === null)?.id ?? models[0] ?? null;
  return { model: model !== null && models.includes(model) ? model : first, context, isSeen, models, isLoading };
}
