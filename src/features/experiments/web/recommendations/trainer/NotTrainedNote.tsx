import { useQuery } from '@tanstack/react-query';
import { findBaseProblem } from '#features/training/shared/baseProblem.ts';
import { trainingBasesQuery, trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';

interface NotTrainedNoteProps {
  base: string;
}

/** Not part of the first view. */
export function NotTrainedNote({ base }: NotTrainedNoteProps) {
  const { data: queue } = useQuery(trainingQueueQuery());
  const { data: bases } = useQuery(trainingBasesQuery());
  const problem = queue === undefined || bases === undefined ? null : findBaseProblem(base, queue, bases);
  return (
    problem !== null && (
      <p className="mt-0.5 text-sm text-ink">
        <span className="font-medium text-warning">Not trained here:</span> {problem}
      </p>
    )
  );
}
