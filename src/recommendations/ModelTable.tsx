import type { ModelChoice } from './candidates';
import type { CompareControl } from './compareControl';
import { HyperparameterCells } from './HyperparameterCells';
import { HyperparameterHeads } from './HyperparameterHeads';
import { PlaygroundButton } from './PlaygroundButton';
import { ReasonRow } from './ReasonRow';
import { RecommendedMark } from './RecommendedMark';
import { TableFrame } from './TableFrame';

interface ModelTableProps {
  models: readonly ModelChoice[];
  compare: CompareControl;
  /** Ids of the models that the service can run now. */
  served: ReadonlySet<string>;
}

/** Every base model, recommended first, with full and LoRA training side by side. */
export function ModelTable({ models, compare, served }: ModelTableProps) {
  return (
    <TableFrame>
      <table className="w-full border-collapse">
        <caption className="sr-only">Base models, recommended first</caption>
        <thead>
          <tr className="text-left">
            <th scope="col" rowSpan={2} className="sticky left-0 z-10 w-full bg-surface px-3 pb-1.5 align-bottom font-semibold">
              Base model
            </th>
            <th scope="colgroup" colSpan={4} className="border-l border-line px-2.5 pt-1.5 font-semibold">
              Full
            </th>
            <th scope="colgroup" colSpan={4} className="border-l border-line px-2.5 pt-1.5 font-semibold">
              LoRA
            </th>
          </tr>
          <tr>
            <HyperparameterHeads />
            <HyperparameterHeads />
          </tr>
        </thead>
        {models.map((model) => (
          <tbody key={model.key} className="border-t border-line">
            <tr className="h-8">
              <th scope="row" className="sticky left-0 z-10 bg-surface px-3 py-1 text-left font-medium">
                <span className="flex min-w-28 flex-wrap items-center gap-x-2">
                  <span className="line-clamp-4 max-w-36 min-w-0 break-words @2xl:max-w-60" title={model.base_model_id}>
                    {model.base_model_id}
                  </span>
                  {model.recommended && <RecommendedMark />}
                  {served.has(model.base_model_id) && <PlaygroundButton model={model.base_model_id} />}
                </span>
              </th>
              <HyperparameterCells candidate={model.full} compare={compare} />
              <HyperparameterCells candidate={model.lora} compare={compare} />
            </tr>
            <ReasonRow columns={9} reason={model.reason_for_recommendation} subject={model.base_model_id} />
          </tbody>
        ))}
      </table>
    </TableFrame>
  );
}
