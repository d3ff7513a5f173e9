import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { checkClass } from '#ui/kit/series.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import type { CompareControl } from './listControl.ts';
import { ParameterText } from './ParameterText.tsx';

interface CandidateCheckProps {
  candidate: Candidate;
  compare: CompareControl;
}

/** Adds a candidate to the compare, or removes it; a checked box has the series colour. */
function CandidateCheck({ candidate, compare }: CandidateCheckProps) {
  const series = compare.seriesOf(candidate.key);
  return (
    <label className="inline-flex size-6 cursor-pointer items-center justify-center" title="Compare">
      <span className="sr-only">Compare {toCandidateName(candidate)}</span>
      <input
        type="checkbox"
        checked={series !== null}
        onChange={() => compare.onToggle(candidate.key)}
        className={`size-3.5 cursor-pointer ${series === null ? '' : checkClass(series)}`}
      />
    </label>
  );
}

interface HyperparameterCellsProps {
  /** null: the service gave no hyperparameters for this training type. */
  candidate: Candidate | null;
  /** Text if there is no candidate. */
  missing?: string;
  /** It is outside the plot's brush. */
  isFaded?: boolean;
  compare: CompareControl;
}

const CELL = 'pr-2 pl-1 text-right font-mono text-sm';

/** Four cells of a row: checkbox, n_epochs, batch_size, learning_rate_multiplier. */
export function HyperparameterCells({
  candidate,
  missing = 'not given',
  isFaded = false,
  compare,
}: HyperparameterCellsProps) {
  if (!candidate) {
    return (
      <td colSpan={4} className="border-l border-line pr-4 text-right text-sm text-faint">
        {missing}
      </td>
    );
  }
  const cell = `${CELL} ${isFaded ? 'text-faint' : ''}`;
  return (
    <>
      <td className="w-7 border-l border-line pl-1">
        <CandidateCheck candidate={candidate} compare={compare} />
      </td>
      <td className={cell}>
        <ParameterText name="n_epochs" kind="count" value={candidate.n_epochs} />
      </td>
      <td className={cell}>
        <ParameterText name="batch_size" kind="count" value={candidate.batch_size} />
      </td>
      <td className={cell}>
        <ParameterText name="learning_rate_multiplier" kind="rate" value={candidate.learning_rate_multiplier} />
      </td>
    </>
  );
}
