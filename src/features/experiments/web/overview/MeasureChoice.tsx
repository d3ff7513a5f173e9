import { useQuery, useQueryClient } from '@tanstack/react-query';
import { chooseMainMeasure, chooseRootMeasure } from '#features/experiments/web/mainMeasure.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { toMeasure, toMainMeasure } from '#features/experiments/shared/measures.ts';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import { Select } from '#ui/fields/Select.tsx';
import { showToast } from '#ui/kit/toast.ts';

interface MeasureChoiceProps {
  results: readonly DatasetResult[];
  /** The folder that the runs are of; null: they are runs of the studio, and the choice is that of their dataset. */
  rootId: string | null;
}

/** The value of the option that leaves the choice to the shape of the answers. No measure has an empty name. */
const FITTING = '';

/** The measures that fit, if nobody chooses: `validation loss`; of several datasets each may have its own. */
function toFitting(results: readonly DatasetResult[]): string {
  const labels = new Set(
    results.flatMap(({ measures, answer_shape }) => toMainMeasure(measures, answer_shape)?.label ?? []),
  );
  return labels.size === 0 ? 'nothing measured' : [...labels].join(', ');
}

/** By which measure the runs of a dataset or folder are compared. Only where the studio keeps the choice. */
export function MeasureChoice({ results, rootId }: MeasureChoiceProps) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const readOnlyReason = useReadOnlyReason();
  const measures = [...new Set(results.flatMap((result) => result.measures))];
  const [only, ...others] = results;
  const datasetId = only && others.length === 0 ? only.dataset_id : null;
  if (session?.mode !== 'local' || (rootId ?? datasetId) === null || measures.length === 0) return null;
  const choose = async (name: string): Promise<void> => {
    const measure = name === FITTING ? null : name;
    try {
      if (rootId !== null) await chooseRootMeasure(rootId, measure);
      else if (datasetId !== null) await chooseMainMeasure(datasetId, measure);
      await Promise.all(
        ['job', 'recommendation', 'run-roots'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      showToast(`The measure was not changed: ${reason}`, { tone: 'error' });
    }
  };
  return (
    <div className="border-t border-line px-3 py-2">
      <Select
        label="Compare runs by"
        disabledReason={readOnlyReason}
        value={results.find(({ isChosen }) => isChosen)?.main?.name ?? FITTING}
        onChange={(name) => void choose(name)}
        options={[
          { value: FITTING, label: `automatic (${toFitting(results)})` },
          ...measures.map((name) => ({ value: name, label: toMeasure(name).label })),
        ]}
      />
    </div>
  );
}
