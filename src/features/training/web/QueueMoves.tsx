import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { orderQueue, trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { toMoved } from './progressWords.ts';
import { useTrainingAct } from './useTrainingAct.ts';

interface QueueMovesProps {
  id: string;
  label: string;
}

/** Moves a waiting run up and down the queue; nothing for a run that does not wait. */
export function QueueMoves({ id, label }: QueueMovesProps) {
  const { data: queue } = useQuery(trainingQueueQuery());
  const { act, busyReason } = useTrainingAct();
  const ids = queue?.waiting.map((entry) => entry.experiment_id) ?? [];
  const at = ids.indexOf(id);
  if (at < 0 || ids.length < 2) return null;
  const move = (step: 1 | -1) => () => void act('The queue was not changed.', () => orderQueue(toMoved(ids, at, step)));
  return (
    <span className="flex">
      <IconButton
        label={`Move ${label} up the queue`}
        icon={<ArrowUp aria-hidden size={14} />}
        disabledReason={busyReason ?? (at === 0 ? 'It is next already.' : null)}
        onClick={move(-1)}
      />
      <IconButton
        label={`Move ${label} down the queue`}
        icon={<ArrowDown aria-hidden size={14} />}
        disabledReason={busyReason ?? (at === ids.length - 1 ? 'It is last already.' : null)}
        onClick={move(1)}
      />
    </span>
  );
}
