import type { Column } from '#features/datasets/shared/recogniseForm.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { Select } from '#ui/fields/Select.tsx';
import {
  changeMapping,
  changeRole,
  ROLE_OPTIONS,
  roleOf,
  ROLES_HINT,
  toMappingFields,
  toMappingHint,
} from './mappingFields.ts';

interface MappingFormProps {
  /** null: the form is known, and only the names of roles are not. */
  columns: readonly Column[] | null;
  /** Names of roles that are not known. */
  roleNames: readonly string[];
  value: RowMapping | null;
  onChange: (mapping: RowMapping | null) => void;
}

/** Says which columns of a file hold what, and what its roles mean. The first rows below show what comes of it. */
export function MappingForm({ columns, roleNames, value, onChange }: MappingFormProps) {
  const fields = columns === null ? [] : toMappingFields(value, columns);
  return (
    <fieldset className="flex flex-col gap-1.5 rounded-lg border border-line p-3 [--label-width:9rem]">
      <legend className="px-1 font-medium">{columns === null ? 'Roles' : 'Fields'}</legend>
      <p className="text-soft">{columns === null ? ROLES_HINT : toMappingHint(value)}</p>
      {fields.map(({ name, label, chosen, options }) => (
        <Select
          key={name}
          label={label}
          value={chosen}
          options={options}
          onChange={(next) => onChange(changeMapping(value, name, next))}
          isWide
        />
      ))}
      {roleNames.map((name) => (
        <Select
          key={`role ${name}`}
          label={`Role “${name.slice(0, 40)}”`}
          value={roleOf(value, name) ?? ''}
          options={ROLE_OPTIONS}
          onChange={(next) => onChange(changeRole(value, name, next))}
          isWide
        />
      ))}
    </fieldset>
  );
}
