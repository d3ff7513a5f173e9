import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { wholeAnswerQuery } from './recordQueries.ts';

interface SentRequestProps {
  runId: string;
  position: number;
  model: string;
  repeat: number;
}

/** The request that an answer came to, as it was sent. */
export function SentRequest({ runId, position, model, repeat }: SentRequestProps) {
  const { data, error } = useQuery(wholeAnswerQuery(runId, position, model, repeat));
  if (error) return <p className="text-error">{error.message}</p>;
  if (!data) return <Skeleton rows={3} />;
  const text = JSON.stringify(data.request, null, 2);
  return (
    <div className="relative">
      <textarea
        readOnly
        aria-label="Request"
        rows={12}
        value={text}
        className="w-full resize-y rounded-lg border border-line bg-raised px-3 py-2 font-mono text-sm"
      />
      <span className="absolute top-1 right-1">
        <CopyButton label="Copy the request" text={() => text} />
      </span>
    </div>
  );
}
