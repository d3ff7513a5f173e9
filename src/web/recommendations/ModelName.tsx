import type { ModelChoice } from '#shared/training/candidates.ts';
import { PlaygroundButton } from './PlaygroundButton.tsx';
import { RecommendedMark } from './RecommendedMark.tsx';

interface ModelNameProps {
  model: ModelChoice;
  /** The service can run it now. */
  isServed: boolean;
}

/** A base model by its id, with the star and the way to the playground. */
export function ModelName({ model, isServed }: ModelNameProps) {
  return (
    <span className="flex min-w-28 flex-wrap items-center gap-x-2">
      <span className="line-clamp-4 max-w-36 min-w-0 @md:max-w-60 break-words" title={model.base_model_id}>
        {model.base_model_id}
      </span>
      {model.recommended && <RecommendedMark />}
      {isServed && <PlaygroundButton model={model.base_model_id} />}
    </span>
  );
}
