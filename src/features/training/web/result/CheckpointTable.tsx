import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { TRIED_BYTES } from '#features/training/shared/trainedModelIds.ts';
import { formatMeasure, formatShare } from '#core/contract/numberNotation.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatClock, formatCount, formatCounted } from '#ui/kit/format.ts';
import { toCheckpointRows, type CheckpointRow } from './checkpointRows.ts';

interface CheckpointTableProps {
  progress: TrainingProgress;
  /** null: it is not known. */
  base: string | null;
  /** The finished model, which is that of the last step; null: there is none yet. */
  model: string | null;
  isActive: boolean;
  /** Opens models in the playground. */
  onTry: (models: readonly string[]) => void;
}

/** More are shown on request. */
const SHOWN = 5;
const HEADS = ['Step', 'Validation loss', 'Validation exact match', 'Saved'] as const;

function CheckpointLine({ row, base, onTry }: { row: CheckpointRow } & Pick<CheckpointTableProps, 'base' | 'onTry'>) {
  const { step, loss, exactMatch, isBest, modelId, savedAt } = row;
  return (
    <tr>
      <th scope="row" className="py-1 pr-4 font-mono font-medium whitespace-nowrap">
        {formatCount(step)}
      </th>
      <td className="py-1 pr-4 whitespace-nowrap">
        <span className="font-mono">{loss === null ? '–' : formatMeasure(loss)}</span>
        {isBest && <span className="ml-1.5 text-sm text-success">best</span>}
      </td>
      <td className="py-1 pr-4 font-mono whitespace-nowrap">{exactMatch === null ? '–' : formatShare(exactMatch)}</td>
      <td className="py-1 pr-4 font-mono whitespace-nowrap">{formatClock(savedAt)}</td>
      <td className="py-1 text-right print:hidden">
        {modelId !== null && (
          <Button
            size="small"
            aria-label={`Try beside base: step ${step}`}
            onClick={() => onTry(base === null ? [modelId] : [modelId, base])}
          >
            <Columns2 aria-hidden size={13} />
            Try beside base
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The checkpoints of a run, the newest first, each with its measures. Those that have a model can be tried at once. */
export function CheckpointTable({ progress, base, model, isActive, onTry }: CheckpointTableProps) {
  const [isAll, setAll] = useState(false);
  const rows = toCheckpointRows(progress, model);
  if (rows.length === 0) return null;
  const shown = isAll ? rows : rows.filter(({ isBest }, at) => at < SHOWN || isBest);
  return (
    <section aria-label="Checkpoints" className="flex min-w-0 flex-col gap-1">
      <h4 className="font-semibold">Checkpoints</h4>
      {isActive && (
        <p className="text-soft">
          {rows.some(({ modelId }) => modelId !== null)
            ? 'The last ones and the best can be tried while the training goes on.'
            : `It goes on from the newest one after a stop. The first one to try comes with the end of an epoch.${
                progress.machine === undefined
                  ? ''
                  : ` Weights of more than ${TRIED_BYTES / 1e6} MB stay on ${progress.machine} until it has ended.`
              }`}
        </p>
      )}
      {!isActive && model !== null && rows.some(({ modelId }) => modelId === null) && (
        <p className="text-soft">
          {`Checkpoints without “Try” were removed when the run ended. The best one and the final model, of step ${formatCount(progress.step)}, stay.`}
        </p>
      )}
      <SimpleTable heads={[...HEADS, { hidden: 'Try it' }]}>
        {shown.map((row) => (
          <CheckpointLine key={row.step} row={row} base={base} onTry={onTry} />
        ))}
      </SimpleTable>
      {shown.length < rows.length && (
        <span>
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            Show all {formatCounted(rows.length, 'checkpoint')}
          </Button>
        </span>
      )}
    </section>
  );
}
