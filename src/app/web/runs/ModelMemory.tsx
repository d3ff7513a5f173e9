import { useQuery } from '@tanstack/react-query';
import { modelRunningQuery } from '#features/training/web/api/trainingQueries.ts';
import { toMemoryText } from '#features/training/web/result/takeAwayWords.ts';

/** Whether a model of the studio is in memory, and what computes it. Nothing where the service does not say. */
export function ModelMemory({ model }: { model: string }) {
  const { data } = useQuery(modelRunningQuery(model));
  return data ? (
    <p className="text-soft">
      <span className="font-semibold">Model</span> {toMemoryText(data)}
    </p>
  ) : null;
}
