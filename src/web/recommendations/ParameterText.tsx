import { toCountText } from '#web/ui/counts.ts';
import type { ParameterKind, ParameterValue } from '#shared/training/delta.ts';
import { RateText } from './RateText.tsx';
import { toTrainingWord } from '#shared/training/trainingWords.ts';

interface ParameterTextProps {
  name: string;
  kind: ParameterKind;
  value: ParameterValue;
}

/** One parameter's value; what the service did not give is said, never left blank. */
export function ParameterText({ name, kind, value }: ParameterTextProps) {
  if (value === null) return <span className="font-sans text-sm whitespace-nowrap text-faint">not given</span>;
  if (kind === 'rate' && typeof value === 'number') return <RateText value={value} />;
  if (typeof value === 'number') return toCountText(value);
  return name === 'training_type' ? (toTrainingWord(String(value)) ?? String(value)) : String(value);
}
