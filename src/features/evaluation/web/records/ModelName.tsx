import { CutText } from '#ui/kit/CutText.tsx';
import { useModelNames } from './modelNames.ts';

interface ModelNameProps {
  model: string;
  className?: string;
}

/** A model as people know it; its id is the tooltip. */
export function ModelName({ model, className = '' }: ModelNameProps) {
  const name = useModelNames()(model);
  return (
    <span
      title={name === model ? model : `${name}\n${model}`}
      className={`truncate ${name === model ? 'font-mono text-sm' : ''} ${className}`}
    >
      <CutText text={name} />
    </span>
  );
}
