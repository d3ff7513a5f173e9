import type { CheckSuggestion } from '#features/evaluation/shared/suggestChecks.ts';
import { CheckList } from '#features/evaluation/web/CheckList.tsx';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import type { EvaluationDraft } from './evaluationDraft.ts';
import { EvaluatorsField } from './EvaluatorsField.tsx';
import { JudgesField } from './JudgesField.tsx';
import { ModelsField } from './ModelsField.tsx';

interface DraftFieldsProps {
  draft: EvaluationDraft;
  suggestion: CheckSuggestion | null;
  /** The rows have variables, which a prompt is filled with. */
  hasPrompt: boolean;
  onChange: (draft: EvaluationDraft) => void;
}

/** The fields of an evaluation beside its rows. */
export function DraftFields({ draft, suggestion, hasPrompt, onChange }: DraftFieldsProps) {
  const set = (patch: Partial<EvaluationDraft>) => onChange({ ...draft, ...patch });
  return (
    <>
      <TextField label="Name" value={draft.name} maxLength={200} onChange={(name) => set({ name })} />
      {hasPrompt && (
        <TextArea
          label="Prompt"
          rows={2}
          value={draft.prompt}
          placeholder="{{question}}"
          onChange={(prompt) => set({ prompt })}
        />
      )}
      <ModelsField
        models={draft.models}
        baseline={draft.baseline}
        onChange={(models, baseline) => set({ models, baseline })}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <NumberField
          label="Answers to each row"
          value={draft.repeats}
          min={1}
          max={10}
          isInteger
          onChange={(repeats) => set({ repeats })}
        />
        <NumberField
          label="Temperature"
          value={draft.temperature}
          min={0}
          max={2}
          onChange={(temperature) => set({ temperature })}
        />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1 text-soft">Checks</legend>
        <CheckList checks={draft.checks} suggestion={suggestion} onChange={(checks) => set({ checks })} />
      </fieldset>
      <EvaluatorsField chosen={draft.evaluators} onChange={(evaluators) => set({ evaluators })} />
      <JudgesField judges={draft.judges} models={draft.models} onChange={(judges) => set({ judges })} />
    </>
  );
}
