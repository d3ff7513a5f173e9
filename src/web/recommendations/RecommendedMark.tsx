import { Star } from 'lucide-react';

interface RecommendedMarkProps {
  /** Only the star is drawn; the word stays for screen readers. */
  isCompact?: boolean;
}

/** What the service itself would take. */
export function RecommendedMark({ isCompact = false }: RecommendedMarkProps) {
  return (
    <span
      title="recommended"
      className={`inline-flex shrink-0 items-center gap-1 text-sm font-medium whitespace-nowrap text-star ${isCompact ? 'mt-[3px] leading-none' : ''}`}
    >
      <Star aria-hidden size={12} fill="currentColor" />
      <span className={isCompact ? 'sr-only' : ''}>recommended</span>
    </span>
  );
}
