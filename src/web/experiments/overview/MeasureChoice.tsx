import { useQuery, useQueryClient } from '@tanstack/react-query';
import { chooseMainMeasure } from '#web/api/mainMeasure.ts';
import { sessionQuery } from '#web/api/queries.ts';
import { toMeasure, toMainMeasure } from '#shared/training/measures.ts';
import type { DatasetResult } from '#web/experiments/rows/datasetResults.ts';
import { Select } from '#web/ui/fields/Select.tsx';
import { showToast } from '#web/ui/toast.ts';

interface MeasureChoiceProps {
  result: DatasetResult;
}

/** The value of the option that leaves the choice to the shape of the answers. No measure has an empty name. */
const FITTING = '';

/** By which measure the runs of a dataset are compared. Only where the studio keeps the choice. */
export function MeasureChoice({ result: { dataset_id, measures, main, isChosen, answer_shape } }: MeasureChoiceProps) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  if (session?.mode !== 'local' || dataset_id === null || measures.length === 0) return null;
  const fitting = toMainMeasure(measures, answer_shape);
  const choose = async (name: string): Promise<void> => {
    try {
      await chooseMainMeasure(dataset_id, name === FITTING ? null : name);
      await Promise.all(['job', 'recommendation'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      showToast(`The measure was not changed: ${reason}`, { tone: 'bad' });
    }
  };
  return (
    <div className="border-t border-line px-3 py-2">
      <Select
        label="Compare runs by"
        value={isChosen && main !== null ? main.name : FITTING}
        onChange={(name) => void choose(name)}
        options={[
          { value: FITTING, label: `automatic (${fitting === null ? 'nothing measured' : fitting.label})` },
          ...measures.map((name) => ({ value: name, label: toMeasure(name).label })),
        ]}
      />
    </div>
  );
}
