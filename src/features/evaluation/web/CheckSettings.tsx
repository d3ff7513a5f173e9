import { DEFAULT_THRESHOLDS, type CheckKind, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { SIMILARITY_MEASURES, SIMILARITY_NAMES } from '#features/evaluation/shared/similarity.ts';
import { LENGTH_UNITS } from '#features/evaluation/shared/textLength.ts';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';

const HAS_CASE: ReadonlySet<CheckKind> = new Set<CheckKind>(['exact', 'contains', 'regex', 'similarity']);
const JSON_KINDS: ReadonlySet<CheckKind> = new Set<CheckKind>(['json-schema', 'json-equal', 'json-fields']);
const MEASURES = SIMILARITY_MEASURES.map((value) => ({ value, label: SIMILARITY_NAMES[value] }));
const UNITS = LENGTH_UNITS.map((value) => ({ value, label: value }));

interface CheckSettingsProps {
  value: CheckSpec;
  onChange: (value: CheckSpec) => void;
}

/** The settings of a check that only some kinds have. */
export function CheckSettings({ value, onChange }: CheckSettingsProps) {
  const { kind } = value;
  return (
    <>
      {HAS_CASE.has(kind) && (
        <Toggle
          label="Match case"
          value={value.isCaseSensitive}
          onChange={(isCaseSensitive) => onChange({ ...value, isCaseSensitive })}
        />
      )}
      {JSON_KINDS.has(kind) && (
        <Toggle
          label="An answer in a code fence does not pass"
          value={value.isStrict === true}
          onChange={(isStrict) => onChange({ ...value, isStrict })}
        />
      )}
      {kind === 'number' && (
        <NumberField
          label="Tolerance ±"
          value={value.tolerance}
          min={0}
          placeholder="0"
          onChange={(tolerance) => onChange({ ...value, tolerance: tolerance ?? 0 })}
        />
      )}
      {kind === 'json-fields' && (
        <TextField
          label="Fields"
          value={(value.fields ?? []).join(',')}
          placeholder="all"
          spellCheck={false}
          onChange={(text) => onChange({ ...value, fields: text === '' ? undefined : text.split(',') })}
        />
      )}
      {kind === 'similarity' && (
        <Select
          label="Measured by"
          value={value.measure ?? 'levenshtein'}
          options={MEASURES}
          onChange={(next) => onChange({ ...value, measure: SIMILARITY_MEASURES.find((each) => each === next) })}
        />
      )}
      {(kind === 'similarity' || kind === 'function') && (
        <NumberField
          label="Passes from"
          value={value.threshold}
          min={0}
          max={1}
          placeholder={String(DEFAULT_THRESHOLDS[kind])}
          onChange={(threshold) => onChange({ ...value, threshold })}
        />
      )}
      {kind === 'length' && (
        <>
          <NumberField
            label="At least"
            value={value.min}
            min={0}
            isInteger
            onChange={(min) => onChange({ ...value, min })}
          />
          <NumberField
            label="At most"
            value={value.max}
            min={0}
            isInteger
            onChange={(max) => onChange({ ...value, max })}
          />
          <Select
            label="Counted in"
            isLabelHidden
            value={value.unit ?? 'words'}
            options={UNITS}
            onChange={(next) => onChange({ ...value, unit: LENGTH_UNITS.find((each) => each === next) })}
          />
        </>
      )}
      {kind === 'latency' && (
        <NumberField label="At most (ms)" value={value.max} min={0} onChange={(max) => onChange({ ...value, max })} />
      )}
    </>
  );
}
