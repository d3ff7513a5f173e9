import type { ModelChoice } from '../training/candidates';
import { HyperparameterCells } from './HyperparameterCells';
import { HyperparameterHeads } from './HyperparameterHeads';
import { ModelName } from './ModelName';
import { ModelReason } from './ModelReason';
import type { ListControl } from './listControl';
import { TableFrame } from './TableFrame';

interface ModelStackProps {
  models: readonly ModelChoice[];
  control: ListControl;
}

/** The same as ModelTable where there is less room: full and LoRA are two lines beside the base model. */
export function ModelStack({ models, control }: ModelStackProps) {
  return (
    <TableFrame>
      <table className="w-full border-collapse">
        <caption className="sr-only">Base models, recommended first</caption>
        <thead>
          <tr className="text-left">
            <th scope="col" className="w-full px-3 pt-1.5 pb-1.5 align-bottom font-semibold">
              Base model
            </th>
            <th scope="col" className="px-2.5 pt-1.5 pb-1.5 align-bottom font-semibold">
              Training
            </th>
            <HyperparameterHeads />
          </tr>
        </thead>
        {models.map((model) => (
          <tbody key={model.key} className="border-t border-line">
            <tr className="h-7">
              <th scope="rowgroup" rowSpan={2} className="px-3 py-1.5 text-left align-top font-medium">
                <ModelName model={model} isServed={control.served.has(model.base_model_id)} />
              </th>
              <th scope="row" className="px-2.5 text-left font-normal">
                full
              </th>
              <HyperparameterCells candidate={model.full} missing="no full training for this model" isFaded={control.isFaded(model.full)} compare={control} />
            </tr>
            <tr className="h-7">
              <th scope="row" className="px-2.5 text-left font-normal">
                LoRA
              </th>
              <HyperparameterCells candidate={model.lora} missing="no LoRA for this model" isFaded={control.isFaded(model.lora)} compare={control} />
            </tr>
            <ModelReason model={model} columns={6} />
          </tbody>
        ))}
      </table>
    </TableFrame>
  );
}
