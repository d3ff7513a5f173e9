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
import { TextField } from '#ui/fields/TextField.tsx';
import { toObjective, type RefusedSettings, type RowProblems, type RunRow } from './runRows.ts';
import type { RunSource } from './snapshots.ts';

interface MoreSettingsProps {
  row: RunRow;
  place: number;
  /** Why the trainer can't do a setting. */
  refusals: RefusedSettings;
  problems: RowProblems;
  /** Runs from whose models one can go on. */
  sources: readonly RunSource[];
  /** Names of the operator's reward functions; null: not known. */
  rewards: readonly string[] | null;
  onChange: (change: Pick<RunRow, 'chosen'> | Pick<RunRow, 'from'>) => void;
  /** A text was typed that is no value of the field; null: it is corrected. */
  onRefuse: (name: SettingName, message: string | null) => void;
  /** The element of the row that says what is wrong. */
  problemId: string;
}

interface FieldProps extends Omit<MoreSettingsProps, 'refusals' | 'sources' | 'onChange'> {
  name: SettingName;
  onChange: (chosen: ChosenSettings) => void;
}

function ModulesInput({
  id,
  row,
  problems,
  onChange,
  onRefuse,
  problemId,
}: Omit<FieldProps, 'name' | 'rewards'> & { id: string }) {
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

/** One of the operator's functions by its name; where they are not known, the name is typed. */
function RewardField({
  row,
  place,
  rewards,
  onChange,
}: Pick<FieldProps, 'row' | 'place' | 'rewards'> & { onChange: (value: string | null) => void }) {
  const { label } = toSetting('reward_function');
  const value = row.chosen.reward_function ?? '';
  const name = `${label} of run ${place}`;
  if (rewards === null)
    return <TextField label={name} value={value} onChange={(text) => onChange(text === '' ? null : text)} />;
  const known = rewards.includes(value) || value === '' ? rewards : [...rewards, value];
  return (
    <Select
      label={name}
      isLabelHidden
      value={value}
      options={[
        {
          value: '',
          label: rewards.length === 0 ? `${label}: the trainer has none` : `Choose a ${label.toLowerCase()}`,
        },
        ...known.map((each) => ({ value: each, label: `${label}: ${each}` })),
      ]}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

/** The model that a run starts from: the base, or what an earlier run made of it. */
function SourceField({
  row,
  place,
  sources,
  onChange,
}: Pick<MoreSettingsProps, 'row' | 'place' | 'sources' | 'onChange'>) {
  const own = sources.filter(({ base }) => base === row.base);
  if (own.length === 0 && row.from === null) return null;
  const isKnown = row.from === null || own.some(({ id }) => id === row.from);
  return (
    <Select
      label={`Start of run ${place}`}
      isLabelHidden
      value={row.from ?? ''}
      options={[
        { value: '', label: `Starts from ${row.base}` },
        ...own.map(({ id, label }) => ({ value: id, label: `Goes on from ${label}` })),
        ...(isKnown ? [] : [{ value: row.from ?? '', label: 'Goes on from an earlier run' }]),
      ]}
      onChange={(id) => onChange({ from: id === '' ? null : id })}
    />
  );
}

function Field({ name, ...props }: FieldProps) {
  const { row, place, problems, onChange, onRefuse, problemId } = props;
  const id = useId();
  const { label, about, kind, min, max, unit, usual } = toSetting(name);
  const value = row.chosen[name];
  const change = (next: unknown) => onChange(toChosen({ ...row.chosen, [name]: next ?? null }));
  if (kind === 'name') return <RewardField {...props} onChange={change} />;
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
export function MoreSettings({ refusals, sources, onChange, ...props }: MoreSettingsProps) {
  const { row, place } = props;
  const [isOpen, setOpen] = useState(false);
  const ofType = SETTING_NAMES.filter((name) => {
    const { isOfAdapter, of } = toSetting(name);
    // The objective has a field of its own.
    if (name === 'objective') return false;
    const isOfRun = (row.type !== 'full' || !isOfAdapter) && of?.includes(toObjective(row)) !== false;
    return isOfRun || row.chosen[name] !== undefined;
  });
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
            <Field key={name} name={name} onChange={(next) => onChange({ chosen: next })} {...props} />
          ))}
          <SourceField {...{ row, place, sources, onChange }} />
          {unable.length > 0 && <p className="w-full text-soft">Not with this trainer: {unable.join(', ')}.</p>}
        </div>
      )}
    </details>
  );
}
