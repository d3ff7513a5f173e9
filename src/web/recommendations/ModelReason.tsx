import type { ModelChoice } from '#shared/training/candidates.ts';
import { ExtraFields } from './ExtraFields.tsx';
import { ReasonRow } from './ReasonRow.tsx';
import { ReasonText } from './ReasonText.tsx';
import { toOwnExtras } from './extras.ts';

interface ModelReasonProps {
  model: ModelChoice;
  columns: number;
}

/** Why a base model is (not) recommended, and the fields that SPEC does not have. */
export function ModelReason({ model, columns }: ModelReasonProps) {
  return (
    <ReasonRow columns={columns}>
      <ReasonText reason={model.reason_for_recommendation} subject={model.base_model_id} />
      <ExtraFields extras={model.extras} />
      <ExtraFields label="full" extras={toOwnExtras(model.full, model)} />
      <ExtraFields label="LoRA" extras={toOwnExtras(model.lora, model)} />
    </ReasonRow>
  );
}
