import type { Objective } from '#core/contract/trainingSettings.ts';
import { Select } from '#ui/fields/Select.tsx';
import { toObjective, toRowWithObjective, type Objectives, type RunRow } from './runRows.ts';

interface ObjectiveSelectProps {
  row: RunRow;
  place: number;
  objectives: Objectives;
  onChange: (change: Pick<RunRow, 'chosen' | 'rate'>) => void;
}

/** What a run learns from. Hidden where there is nothing to choose. */
export function ObjectiveSelect({ row, place, objectives, onChange }: ObjectiveSelectProps) {
  const own = toObjective(row);
  const offered = (objectives?.objectives ?? []).filter(
    ({ objective, refusal }) => refusal === null || objective === own,
  );
  if (offered.length < 2 && own === 'sft') return null;
  const options = offered.length > 0 ? offered.map(({ objective }) => objective) : [own];
  return (
    <Select
      label={`Objective of run ${place}`}
      isLabelHidden
      value={own}
      options={options.map((value) => ({ value, label: value.toUpperCase() }))}
      onChange={(value) => onChange(toRowWithObjective(row, value as Objective))}
    />
  );
}
