import { Skeleton } from '#web/ui/Skeleton.tsx';

interface RecordSkeletonProps {
  /** Why the request is being repeated; null at the first attempt. */
  repeatedBecause: string | null;
}

/** The shape of what comes: a header line, a compare table, a list of models. */
export function RecordSkeleton({ repeatedBecause }: RecordSkeletonProps) {
  return (
    <>
      {repeatedBecause !== null && <p className="px-1 text-soft">No answer yet, trying again: {repeatedBecause}</p>}
      <div className="rounded-[10px] border border-line bg-surface p-3">
        <Skeleton rows={1} className="max-w-80" />
      </div>
      <div className="rounded-[10px] border border-line bg-surface p-3" aria-hidden>
        <Skeleton rows={6} />
      </div>
      <div className="rounded-[10px] border border-line bg-surface p-3" aria-hidden>
        <Skeleton rows={8} />
      </div>
    </>
  );
}
