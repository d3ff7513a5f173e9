import { X } from 'lucide-react';
import { useContext, useState } from 'react';
import { ComboBox } from '#ui/fields/ComboBox.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { ModelName } from './ModelName.tsx';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { ModelChoices, takeCheckpoints, toCheckpointRuns, toDefaultBaseline, toModelName } from './modelNames.ts';

interface ModelsFieldProps {
  models: readonly string[];
  /** null: the default one. */
  baseline: string | null;
  onChange: (models: readonly string[], baseline: string | null) => void;
}

/** The models that are asked, and the one that others are compared with. */
export function ModelsField({ models, baseline, onChange }: ModelsFieldProps) {
  const all = useContext(ModelChoices);
  const [note, setNote] = useState('');
  const runs = toCheckpointRuns(all, models);
  const change: ModelsFieldProps['onChange'] = (next, base) => {
    setNote('');
    onChange(next, base);
  };
  const options = all.filter(({ value }) => !models.includes(value));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="text-soft">Models</legend>
      {models.length > 0 && (
        <ul aria-label="Chosen models" className="flex flex-wrap gap-1.5">
          {models.map((model) => (
            <li key={model} className="flex min-w-0 items-center rounded-md border border-line bg-raised pl-2">
              <ModelName model={model} className="max-w-72" />
              <IconButton
                label={`Remove ${model}`}
                icon={<X aria-hidden size={12} />}
                onClick={() =>
                  change(
                    models.filter((each) => each !== model),
                    baseline === model ? null : baseline,
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <div className="w-72 max-w-full">
          <ComboBox
            key={models.length}
            label="Add a model"
            isLabelHidden
            value=""
            options={options}
            placeholder="Add a model"
            onChange={(model) => model.trim() !== '' && change([...new Set([...models, model.trim()])], baseline)}
          />
        </div>
        {runs.length > 0 && (
          <Select
            label="All checkpoints of"
            value=""
            disabledReason={
              models.length < EVALUATION_LIMITS.models
                ? null
                : `An evaluation has at most ${EVALUATION_LIMITS.models} models. Remove some first.`
            }
            options={[{ value: '', label: 'no run' }, ...runs.map(({ id, label }) => ({ value: id, label }))]}
            onChange={(id) => {
              const run = runs.find((each) => each.id === id);
              if (!run) return;
              const taken = takeCheckpoints(run, models.length);
              change([...models, ...taken.models], baseline);
              setNote(taken.note);
            }}
          />
        )}
        {models.length > 1 && (
          <Select
            label="Compare with"
            value={baseline ?? toDefaultBaseline(all, models) ?? ''}
            options={models.map((model) => ({ value: model, label: toModelName(all, model) }))}
            onChange={(model) => change(models, model)}
          />
        )}
      </div>
      <output className="text-sm text-soft empty:hidden">{note}</output>
    </fieldset>
  );
}
