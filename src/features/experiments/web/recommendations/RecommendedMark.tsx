import { Star } from 'lucide-react';
import { useContext } from 'react';
import { PlaceMark } from './listControl.ts';
import { toPlaceWords } from './starred.ts';

interface RecommendedMarkProps {
  base_model_id: string;
}

/** Marks what the service itself recommends; the local studio recommends for two places. */
export function RecommendedMark({ base_model_id }: RecommendedMarkProps) {
  const hasPlaces = useContext(PlaceMark);
  return (
    <span title="recommended" className="text-sm font-medium text-star">
      <Star aria-hidden size={12} fill="currentColor" className="mr-1 mb-0.5 inline" />
      <span>recommended{hasPlaces && ` ${toPlaceWords(base_model_id)}`}</span>
    </span>
  );
}
