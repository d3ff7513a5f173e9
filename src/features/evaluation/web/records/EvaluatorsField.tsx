import { useQuery } from '@tanstack/react-query';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { evaluatorsQuery } from './recordQueries.ts';

interface EvaluatorsFieldProps {
  /** By their names. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Programs of people that judge answers. Where the operator allowed none, and none is chosen, nothing is shown. */
export function EvaluatorsField({ chosen, onChange }: EvaluatorsFieldProps) {
  const { data } = useQuery(evaluatorsQuery());
  const allowed = data ?? [];
  const all = [...new Set([...allowed, ...chosen])];
  if (all.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-x-4 gap-y-1">
      <legend className="mb-1 text-soft">Own evaluators</legend>
      {all.map((name) => (
        <Toggle
          key={name}
          label={data === undefined || allowed.includes(name) ? name : `${name} (not allowed here any more)`}
          value={chosen.includes(name)}
          onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((each) => each !== name))}
        />
      ))}
    </fieldset>
  );
}
