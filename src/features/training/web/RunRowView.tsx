import { Copy, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { withoutAdapter } from '#core/contract/trainingSettings.ts';
import type { SettingName } from '#core/contract/trainingLabels.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { TRAINING_TYPES, type TrainingType } from '#features/training/shared/createJob.ts';
import type { TrainingEstimate } from '#trainer/shared/trainingEstimate.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { Button } from '#ui/kit/Button.tsx';
import { NumberInput } from '#ui/fields/NumberInput.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import type { TrainingObjectives } from '#features/training/shared/trainingRecords.ts';
import { MoreSettings } from './MoreSettings.tsx';
import { ObjectiveSelect } from './ObjectiveSelect.tsx';
import type { RunSource } from './snapshots.ts';
import { toEstimateText, toFormulas } from './runEstimate.ts';
import {
  parseSweep,
  SWEPT,
  toSeeds,
  toSweepText,
  type RefusedSettings,
  type RowProblems,
  type RunRow,
  type RunSettings,
  type SweptField,
} from './runRows.ts';

interface RunRowViewProps {
  row: RunRow;
  /** Its place, from 1. */
  place: number;
  bases: readonly string[];
  /** What can be learnt here from the snapshot. */
  objectives: TrainingObjectives | null;
  /** Runs from whose models one can go on. */
  sources: readonly RunSource[];
  /** What the rate is called in this studio. */
  rateName: string;
  estimate: TrainingEstimate | null;
  /** Why the trainer can't do a setting. */
  refusals: RefusedSettings;
  /** What has to be changed before it starts. */
  problems: RowProblems;
  /** What else is to be known of it. */
  notes: readonly string[];
  onChange: (change: Partial<RunSettings> & { readonly isOn?: boolean }) => void;
  /** A text was typed that is no value of the field; null: it is corrected. */
  onRefuse: (field: SweptField | SettingName, message: string | null) => void;
  onCopy: () => void;
  onRemove: () => void;
  onSweep: (field: SweptField, values: readonly number[]) => void;
}

interface SweepFormProps {
  row: RunRow;
  place: number;
  onSweep: RunRowViewProps['onSweep'];
  onClose: () => void;
}

const FIELDS = Object.keys(SWEPT) as SweptField[];

/** Asks for the values of one setting: a run for each. */
function SweepForm({ row, place, onSweep, onClose }: SweepFormProps) {
  const [field, setField] = useState<SweptField>('rate');
  const [text, setText] = useState(() => toSweepText(row, 'rate'));
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const sweep = parseSweep(text, field);
    if (sweep.ok) {
      onSweep(field, sweep.values);
      onClose();
    } else setProblem(sweep.message);
  };
  return (
    <fieldset
      aria-label={`Sweep of run ${place}`}
      className="flex flex-wrap items-end gap-2 rounded-md border border-line bg-raised px-2 py-1.5"
    >
      <Select
        label="Sweep"
        value={field}
        options={FIELDS.flatMap((value) =>
          row.type === 'full' && value === 'lora_rank' ? [] : [{ value, label: SWEPT[value] }],
        )}
        onChange={(value) => {
          const next = FIELDS.find((name) => name === value) ?? 'rate';
          setField(next);
          setText(toSweepText(row, next));
          setProblem(null);
        }}
      />
      <TextField
        label="Values, a run for each"
        value={text}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
        problem={problem}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The form around it would start the job.
          event.preventDefault();
          apply();
        }}
        className="min-w-40 flex-1"
      />
      <Button onClick={apply}>Make runs</Button>
      <Button variant="quiet" onClick={onClose}>
        Close
      </Button>
    </fieldset>
  );
}

interface NumberCellProps {
  label: string;
  place: number;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  onProblem: (message: string | null) => void;
  problem: string | null;
  /** The element of the row that says what is wrong. */
  problemId: string;
  min: number;
  max?: number;
  isInteger?: boolean;
  width: string;
  step?: number;
}

/** The problem of a typed text is said in the row: a column of figures is too narrow for it. */
function NumberCell({ label, place, min, max, isInteger = false, width, ...input }: NumberCellProps) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-0.5 ${width}`}>
      <label htmlFor={id} className="text-sm text-soft">
        {label}
        <span className="sr-only"> of run {place}</span>
      </label>
      <NumberInput id={id} rule={{ label, min, max, isInteger }} {...input} className="h-7 w-full" />
    </div>
  );
}

/** One run of the table: its settings, what it takes, what is wrong with it. */
export function RunRowView(props: RunRowViewProps) {
  const { row, place, bases, objectives, sources, rateName, estimate, refusals, problems, notes } = props;
  const { onChange, onRefuse, onCopy, onRemove, onSweep } = props;
  const [isSweeping, setSweeping] = useState(false);
  const problemId = useId();
  const said = Object.values(problems);
  return (
    <li className="flex flex-col gap-1.5 border-t border-line py-2.5 first:border-t-0">
      <div className="flex flex-wrap items-end gap-x-2 gap-y-1.5">
        <input
          type="checkbox"
          aria-label={`Start run ${place}`}
          checked={row.isOn}
          onChange={(event) => onChange({ isOn: event.target.checked })}
          className="mb-1.5 size-5 shrink-0 accent-accent"
        />
        <Select
          label={`Base model of run ${place}`}
          isLabelHidden
          value={row.base}
          options={bases.map((id) => ({ value: id, label: id }))}
          onChange={(base) => onChange({ base, from: null })}
        />
        <ObjectiveSelect {...{ row, place, objectives, onChange }} />
        <Select
          label={`Training of run ${place}`}
          isLabelHidden
          value={row.type}
          options={TRAINING_TYPES.map((value) => ({ value, label: toTrainingWord(value) ?? value }))}
          onChange={(value) =>
            onChange({
              type: value as TrainingType,
              ...(value === 'full' && { chosen: withoutAdapter(row.chosen) }),
            })
          }
        />
        <NumberCell
          label="Epochs"
          place={place}
          value={row.epochs}
          onChange={(epochs) => onChange({ epochs })}
          onProblem={(message) => onRefuse('epochs', message)}
          problem={problems.epochs ?? null}
          problemId={problemId}
          {...JOB_LIMITS.epochs}
          isInteger
          width="w-14"
        />
        <NumberCell
          label="Batch"
          place={place}
          value={row.batch}
          onChange={(batch) => onChange({ batch })}
          onProblem={(message) => onRefuse('batch', message)}
          problem={problems.batch ?? null}
          problemId={problemId}
          {...JOB_LIMITS.batch}
          isInteger
          width="w-14"
        />
        <NumberCell
          label={rateName}
          place={place}
          value={row.rate}
          onChange={(rate) => onChange({ rate })}
          onProblem={(message) => onRefuse('rate', message)}
          problem={problems.rate ?? null}
          problemId={problemId}
          // The row says of 0 that it is too low: an attribute can't say 1e-9.
          min={0}
          max={JOB_LIMITS.rate.max}
          width="w-28"
          step={row.rate === undefined ? 0.001 : row.rate / 10}
        />
        <span className="flex">
          <IconButton
            label={`Sweep a value of run ${place}`}
            icon={<SlidersHorizontal aria-hidden size={14} />}
            aria-expanded={isSweeping}
            onClick={() => setSweeping(!isSweeping)}
          />
          <Button size="small" variant="quiet" onClick={() => onSweep('seed', toSeeds(row))}>
            3 seeds<span className="sr-only"> of run {place}</span>
          </Button>
          <IconButton label={`Duplicate run ${place}`} icon={<Copy aria-hidden size={14} />} onClick={onCopy} />
          <IconButton label={`Remove run ${place}`} icon={<Trash2 aria-hidden size={14} />} onClick={onRemove} />
        </span>
      </div>
      {isSweeping && <SweepForm row={row} place={place} onSweep={onSweep} onClose={() => setSweeping(false)} />}
      <MoreSettings
        {...{ row, place, sources, refusals, problems, problemId, onRefuse, onChange }}
        rewards={objectives?.reward_functions ?? null}
      />
      <div id={problemId} aria-live="polite" className={said.length === 0 ? 'hidden' : 'text-sm text-error'}>
        {said.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
      {notes.map((note) => (
        <p key={note} className="text-sm text-soft">
          {note}
        </p>
      ))}
      {estimate !== null && (
        <details className="text-sm text-soft">
          <summary className="w-fit cursor-pointer rounded">{toEstimateText(estimate)}</summary>
          <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3">
            {toFormulas(estimate).map(([name, formula]) => (
              <div key={name} className="contents">
                <dt>{name}</dt>
                <dd>{formula}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}
