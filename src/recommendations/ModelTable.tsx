import type { ModelChoice } from '../training/candidates';
import { HyperparameterCells } from './HyperparameterCells';
import { HyperparameterHeads } from './HyperparameterHeads';
import { ModelName } from './ModelName';
import { ModelReason } from './ModelReason';
import type { ListControl } from './listControl';
import { TableFrame } from './TableFrame';

interface ModelTableProps {
  models: readonly ModelChoice[];
  control: ListControl;
}

/** Every base model, recommended first, with full and LoRA training side by side. */
export function ModelTable({ models, control }: ModelTableProps) {
  return (
    <TableFrame>
      <table className="w-full border-collapse">
        <caption className="sr-only">Base models, recommended first</caption>
        <thead>
          <tr className="text-left">
            <th scope="col" rowSpan={2} className="w-full px-3 pb-1.5 align-bottom font-semibold">
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
              <th scope="row" className="px-3 py-1 text-left font-medium">
                <ModelName model={model} isServed={control.served.has(model.base_model_id)} />
              </th>
              <HyperparameterCells candidate={model.full} missing="no full training for this model" isFaded={control.isFaded(model.full)} compare={control} />
              <HyperparameterCells candidate={model.lora} missing="no LoRA for this model" isFaded={control.isFaded(model.lora)} compare={control} />
            </tr>
            <ModelReason model={model} columns={9} />
          </tbody>
        ))}
      </table>
    </TableFrame>
  );
}
