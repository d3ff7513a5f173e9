import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { logQuery } from '#features/training/web/api/trainingQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';

interface TrainingLogViewProps {
  id: string;
  isActive: boolean;
}

/** Closer to the end than this, the log follows. */
const NEAR_PX = 40;

/** The end of a run's log. It follows what comes, unless somebody reads further up. */
export function TrainingLogView({ id, isActive }: TrainingLogViewProps) {
  const { data, error } = useQuery(logQuery(id, isActive));
  const box = useRef<HTMLTextAreaElement>(null);
  const isFollowing = useRef(true);
  const text = data?.text;
  useEffect(() => {
    if (text !== undefined && isFollowing.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  if (error) return <p className="text-soft">The log could not be loaded: {toErrorWords(error).detail}</p>;
  if (data === undefined) return <p className="text-soft">The log is being loaded.</p>;
  return (
    <>
      {data.isCut && <p className="text-sm text-soft">Only the end of a long log is shown.</p>}
      <textarea
        ref={box}
        readOnly
        rows={10}
        aria-label="Log of the trainer"
        value={data.text === '' ? 'Nothing yet.' : data.text}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
        }}
        className="mt-1 w-full rounded-md border border-line bg-canvas p-2 font-mono text-sm"
      />
    </>
  );
}
