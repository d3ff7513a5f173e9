import { Plus, Trash2 } from 'lucide-react';
import { useContext } from 'react';
import { ComboBox } from '#ui/fields/ComboBox.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import type { JudgeDraft } from './checkFields.ts';
import { ModelChoices } from './modelNames.ts';

interface JudgesFieldProps {
  judges: readonly JudgeDraft[];
  /** The models that are judged. */
  models: readonly string[];
  onChange: (judges: readonly JudgeDraft[]) => void;
}

const MODES = [
  { value: 'answers', label: 'whether an answer passes' },
  { value: 'pairs', label: 'which answer is better, the model’s or the baseline’s' },
] as const;
const RUBRIC = 'The answer is polite, answers the question, and promises nothing that the conversation does not say.';

/** Models that judge answers by words. */
export function JudgesField({ judges, models, onChange }: JudgesFieldProps) {
  const options = useContext(ModelChoices);
  const change = (place: number, patch: Partial<JudgeDraft>) =>
    onChange(judges.map((judge, at) => (at === place ? { ...judge, ...patch } : judge)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-soft">Judges</legend>
      {judges.map(({ model, rubric, mode }, place) => (
        <fieldset
          // A judge has no name of its own.
          key={`${String(place)}-${judges.length}`}
          className="flex min-w-0 flex-col gap-2 rounded-lg border border-line px-3 py-2"
        >
          <legend className="sr-only">Judge {place + 1}</legend>
          <div className="flex items-center gap-2">
            <div className="w-72 max-w-full">
              <ComboBox
                label={`Model of judge ${place + 1}`}
                isLabelHidden
                value={model}
                options={options}
                placeholder="Choose the model that judges"
                onChange={(next) => change(place, { model: next })}
              />
            </div>
            <span className="ml-auto">
              <IconButton
                label={`Remove judge ${place + 1}`}
                icon={<Trash2 aria-hidden size={14} />}
                onClick={() => onChange(judges.filter((_, at) => at !== place))}
              />
            </span>
          </div>
          <Select
            label="It says"
            value={mode}
            options={MODES}
            onChange={(next) => change(place, { mode: next === 'pairs' ? 'pairs' : 'answers' })}
          />
          {mode === 'pairs' && models.length < 2 && (
            <p className="text-sm text-warning">Choose a second model: each is compared with the baseline.</p>
          )}
          <TextArea
            label="Rubric"
            rows={3}
            value={rubric}
            placeholder={RUBRIC}
            maxLength={20_000}
            onChange={(next) => change(place, { rubric: next })}
          />
          {model !== '' && models.includes(model) && (
            <p className="text-sm text-warning">It is one of the judged models: each of these verdicts says so.</p>
          )}
        </fieldset>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...judges, { model: '', rubric: '', mode: 'answers' }])}>
          <Plus aria-hidden size={13} /> Judge
        </Button>
      </div>
    </fieldset>
  );
}
