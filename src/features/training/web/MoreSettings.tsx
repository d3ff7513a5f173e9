import { useId, useState } from 'react';
import {
  parseModules,
  SCHEDULERS,
  SETTING_NAMES,
  toChosen,
  toSetting,
  toSettingText,
  type ChosenSettings,
} from '#core/contract/trainingSettings.ts';
import type { SettingName } from '#core/contract/trainingLabels.ts';
import { NumberInput } from '#ui/fields/NumberInput.tsx';
import { Select } from '#ui/fields/Select.tsx';
import type { RefusedSettings, RowProblems, RunRow } from './runRows.ts';

interface MoreSettingsProps {
  row: RunRow;
  place: number;
  /** Why the trainer can't do a setting. */
  refusals: RefusedSettings;
  problems: RowProblems;
  onChange: (chosen: ChosenSettings) => void;
  /** A text was typed that is no value of the field; null: it is corrected. */
  onRefuse: (name: SettingName, message: string | null) => void;
  /** The element of the row that says what is wrong. */
  problemId: string;
}

interface FieldProps extends Omit<MoreSettingsProps, 'refusals'> {
  name: SettingName;
}

function ModulesInput({ id, row, problems, onChange, onRefuse, problemId }: Omit<FieldProps, 'name'> & { id: string }) {
  const given = row.chosen.target_modules?.join(', ') ?? '';
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <input
      id={id}
      type="text"
      autoComplete="off"
      placeholder={toSetting('target_modules').usual}
      value={draft ?? given}
      aria-describedby={problemId}
      aria-invalid={problems.target_modules !== undefined || undefined}
      onChange={(event) => {
        setDraft(event.target.value);
        const { names, problem } = parseModules(event.target.value);
        onRefuse('target_modules', problem);
        if (problem === null) onChange(toChosen({ ...row.chosen, target_modules: names.length > 0 ? names : null }));
      }}
      onBlur={() => {
        if (row.refused.target_modules == null) setDraft(null);
      }}
      className="h-7 w-44 min-w-0 rounded-md border border-line-strong bg-surface px-1.5 font-mono text-sm hover:border-faint aria-invalid:border-error"
    />
  );
}

function Field({ name, ...props }: FieldProps) {
  const { row, place, problems, onChange, onRefuse, problemId } = props;
  const id = useId();
  const { label, about, kind, min, max, unit, usual } = toSetting(name);
  const value = row.chosen[name];
  const change = (next: unknown) => onChange(toChosen({ ...row.chosen, [name]: next ?? null }));
  if (kind === 'scheduler')
    return (
      <Select
        label={`${label} of run ${place}`}
        isLabelHidden
        value={typeof value === 'string' ? value : ''}
        options={[
          { value: '', label: `${label}: ${usual}` },
          ...SCHEDULERS.map((each) => ({ value: each, label: `${label}: ${each}, chosen` })),
        ]}
        onChange={(next) => change(next === '' ? null : next)}
      />
    );
  return (
    <div className="flex flex-col gap-0.5" data-tip={about}>
      <label htmlFor={id} className="text-sm text-soft">
        {label}
        {unit !== undefined && `, ${unit}`}
        <span className="sr-only"> of run {place}</span>
      </label>
      {kind === 'names' ? (
        <ModulesInput id={id} {...props} />
      ) : (
        <NumberInput
          id={id}
          rule={{ label, min: min ?? 0, max, isInteger: kind === 'integer' }}
          value={typeof value === 'number' ? value : undefined}
          onChange={change}
          onProblem={(message) => onRefuse(name, message)}
          problem={problems[name] ?? null}
          problemId={problemId}
          placeholder={usual}
          step={kind === 'integer' ? 1 : 0.01}
          origin={min ?? 0}
          className="h-7 w-32"
        />
      )}
    </div>
  );
}

/** Settings that most runs leave to the trainer. One that is refused has no field unless it is set. */
export function MoreSettings({ refusals, ...props }: MoreSettingsProps) {
  const { row, place } = props;
  const [isOpen, setOpen] = useState(false);
  const ofType = SETTING_NAMES.filter(
    (name) => row.type !== 'full' || !toSetting(name).isOfAdapter || row.chosen[name] !== undefined,
  );
  const isOffered = (name: SettingName): boolean => refusals[name] === undefined || row.chosen[name] !== undefined;
  const unable = ofType.filter((name) => !isOffered(name)).map((name) => toSetting(name).label);
  const chosen = ofType.flatMap((name) => toSettingText(name, row.chosen) ?? []);
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded text-soft">
        More settings<span className="sr-only"> of run {place}</span>
        {chosen.length > 0 && `: ${chosen.join(', ')}`}
      </summary>
      {isOpen && (
        <div className="mt-1 flex flex-wrap items-end gap-2">
          {ofType.filter(isOffered).map((name) => (
            <Field key={name} name={name} {...props} />
          ))}
          {unable.length > 0 && <p className="w-full text-soft">Not with this trainer: {unable.join(', ')}.</p>}
        </div>
      )}
    </details>
  );
}
