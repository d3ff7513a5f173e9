import type { Column } from '#shared/data/recogniseForm.ts';
import type { RowMapping } from '#shared/data/rowMapping.ts';
import { Select } from '#web/ui/fields/Select.tsx';
import { changeMapping, toMappingFields, toMappingHint } from './mappingFields.ts';

interface MappingFormProps {
  columns: readonly Column[];
  value: RowMapping | null;
  onChange: (mapping: RowMapping | null) => void;
}

/** Says which columns of a file hold what. The first rows below show what comes of it. */
export function MappingForm({ columns, value, onChange }: MappingFormProps) {
  const fields = toMappingFields(value, columns);
  return (
    <fieldset className="flex flex-col gap-1.5 rounded-lg border border-line p-3 [--label-width:9rem]">
      <legend className="px-1 font-medium">Fields</legend>
      <p className="text-soft">{toMappingHint(value)}</p>
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
    </fieldset>
  );
}
