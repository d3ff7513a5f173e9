import type { ModelChoice } from '../training/candidates';
import { ExtraFields } from './ExtraFields';
import { ReasonRow } from './ReasonRow';
import { ReasonText } from './ReasonText';
import { toOwnExtras } from './extras';

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
