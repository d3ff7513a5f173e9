import { X } from 'lucide-react';
import { IconButton } from '../ui/IconButton';
import type { Candidate } from './candidates';
import { RecommendedMark } from './RecommendedMark';
import { swatchClass } from './series';
import { toCandidateKind, toCandidateName } from './training';
import type { Compare } from './useCompare';

interface CompareHeadProps {
  candidate: Candidate;
  compare: Compare;
  isBaseline: boolean;
}

/** A column's head: colour, star, base model, way of training, and the way out. */
export function CompareHead({ candidate, compare, isBaseline }: CompareHeadProps) {
  return (
    <th scope="col" className={`py-1.5 pr-2.5 pl-2.5 text-right align-top font-semibold ${isBaseline ? 'bg-raised' : ''}`}>
      <span className="flex items-start justify-end gap-1.5">
        <span aria-hidden className={`mt-1 size-2.5 shrink-0 rounded-[3px] ${swatchClass(compare.seriesOf(candidate.key) ?? 0)}`} />
        {candidate.recommended && <RecommendedMark isCompact />}
        <span className="line-clamp-3 max-w-44 min-w-24 break-words" title={candidate.base_model_id}>
          {candidate.base_model_id}
        </span>
      </span>
      <span className="flex h-6 items-center justify-end text-sm font-normal whitespace-nowrap text-soft">
        <IconButton
          label={`Take ${toCandidateName(candidate)} out of the compare`}
          icon={<X aria-hidden size={12} />}
          onClick={() => compare.onToggle(candidate.key)}
          className="size-6"
        />
        <span className="max-w-44 truncate">
          {toCandidateKind(candidate)}
          {isBaseline && ' · baseline'}
        </span>
      </span>
    </th>
  );
}
