import { Star } from 'lucide-react';

/** Marks what the service itself recommends. */
export function RecommendedMark() {
  return (
    <span
      title="recommended"
      className="inline-flex shrink-0 items-center gap-1 text-sm font-medium whitespace-nowrap text-star"
    >
      <Star aria-hidden size={12} fill="currentColor" />
      <span>recommended</span>
    </span>
  );
}
