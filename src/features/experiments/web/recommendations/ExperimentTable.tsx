import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { AlreadyRun } from './AlreadyRun.tsx';
import type { CompareControl } from './listControl.ts';
import { ExtraFields } from './ExtraFields.tsx';
import { HyperparameterCells } from './HyperparameterCells.tsx';
import { HyperparameterHeads } from './HyperparameterHeads.tsx';
import { NotTrained } from '#features/experiments/web/recommendations/trainer/NotTrained.tsx';
import { ParameterText } from './ParameterText.tsx';
import { ReasonRow } from './ReasonRow.tsx';
import { RecommendedMark } from './RecommendedMark.tsx';
import { StackedHead } from './StackedHead.tsx';
import { TableFrame } from './TableFrame.tsx';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';

interface ExperimentTableProps {
  experiments: readonly Candidate[];
  compare: CompareControl;
  /** With little room, the base model stands above the values. */
  isStacked: boolean;
}

const HEAD = (
  <tr className="text-left">
    <th scope="col" className="px-3 pb-1.5 text-right align-bottom font-semibold text-soft">
      <span aria-hidden>#</span>
      <span className="sr-only">Number</span>
    </th>
    <th scope="col" className="w-full px-1.5 pb-1.5 align-bottom font-semibold">
      Base model
    </th>
    <th scope="col" className="px-2.5 pb-1.5 align-bottom font-semibold">
      Training
    </th>
    <HyperparameterHeads />
  </tr>
);

interface StackedRowsProps {
  experiment: Candidate;
  compare: CompareControl;
}

function StackedRows({ experiment, compare }: StackedRowsProps) {
  return (
    <>
      <tr>
        <th scope="rowgroup" colSpan={5} className="px-3 pt-1.5 pb-0.5 text-left font-medium">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="font-mono text-sm font-normal text-faint">{experiment.place}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{experiment.base_model_id}</span>
            {experiment.recommended && <RecommendedMark base_model_id={experiment.base_model_id} />}
          </span>
        </th>
      </tr>
      <tr className="h-7">
        <td className="px-3">
          <ParameterText name="training_type" kind="text" value={experiment.training_type} />
        </td>
        <HyperparameterCells candidate={experiment} compare={compare} />
      </tr>
    </>
  );
}

/** Proposed runs, recommended first. */
export function ExperimentTable({ experiments, compare, isStacked }: ExperimentTableProps) {
  return (
    <TableFrame caption="Proposed runs, recommended first" head={isStacked ? <StackedHead /> : HEAD}>
      {experiments.map((experiment) => (
        <tbody key={experiment.key} className="border-t border-line">
          {isStacked ? (
            <StackedRows experiment={experiment} compare={compare} />
          ) : (
            <tr className="h-8">
              <td className="w-9 px-3 text-right font-mono text-sm text-faint">{experiment.place}</td>
              <th scope="row" className="px-1.5 py-1 text-left font-medium">
                <span className="flex min-w-28 flex-wrap items-center gap-x-2">
                  <span
                    className="line-clamp-4 max-w-28 min-w-0 @md:max-w-48 @2xl:max-w-80"
                    title={experiment.base_model_id}
                  >
                    {experiment.base_model_id}
                  </span>
                  {experiment.recommended && <RecommendedMark base_model_id={experiment.base_model_id} />}
                </span>
              </th>
              <td className="px-2.5">
                <span className="line-clamp-2 max-w-32">
                  <ParameterText name="training_type" kind="text" value={experiment.training_type} />
                </span>
              </td>
              <HyperparameterCells candidate={experiment} compare={compare} />
            </tr>
          )}
          <ReasonRow
            columns={isStacked ? 5 : 7}
            reason={experiment.reason_for_recommendation}
            subject={toCandidateName(experiment)}
          >
            <AlreadyRun candidate={experiment} />
            <NotTrained base={experiment.base_model_id} />
            <ExtraFields extras={experiment.extras} />
          </ReasonRow>
        </tbody>
      ))}
    </TableFrame>
  );
}
