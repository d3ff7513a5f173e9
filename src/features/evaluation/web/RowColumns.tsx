import { EXPECTED_NAMES } from '#features/evaluation/shared/rowColumns.ts';
import { LINE_VARIABLE } from '#features/evaluation/shared/promptRow.ts';
import { Select } from '#ui/fields/Select.tsx';

interface RowColumnsProps {
  columns: readonly string[];
  /** null: none. */
  expected: string | null;
  onExpected: (column: string | null) => void;
  prompt: string;
  /** The prompt that fits the rows: one column, or a text with several. */
  template: string;
  onPrompt: (prompt: string) => void;
}

/** Values of columns have a prefix, so no column name equals this value. */
const NONE = 'none';
const toValue = (column: string | null): string => (column === null ? NONE : `=${column}`);
const MAX_TEMPLATE = 60;
function toTemplateName(text: string): string {
  if (text.trim() === '') return 'none yet';
  return text.length > MAX_TEMPLATE ? `template: ${text.slice(0, MAX_TEMPLATE)}…` : `template: ${text}`;
}

/** Selects for the column that is the prompt and the column that holds the expected answer. */
export function RowColumns({ columns, expected, onExpected, prompt, template, onPrompt }: RowColumnsProps) {
  const columnOptions = columns
    .filter((column) => column !== expected)
    .map((column) => ({ value: `{{${column}}}`, label: column }));
  const others = columnOptions.some(({ value }) => value === template)
    ? []
    : [{ value: template, label: toTemplateName(template) }];
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select label="Prompt" value={prompt} onChange={onPrompt} options={[...columnOptions, ...others]} />
        <Select
          label="Expected answer"
          value={toValue(expected)}
          onChange={(value) => onExpected(value === NONE ? null : value.slice(1))}
          options={[
            { value: NONE, label: 'none' },
            ...columns.map((column) => ({ value: toValue(column), label: column })),
          ]}
        />
      </div>
      <p className="text-sm text-soft">
        The expected answer is read from a column with one of these names: {EXPECTED_NAMES.join(', ')}. The prompt is
        read from the column {LINE_VARIABLE}, or else from the first other column.
      </p>
    </div>
  );
}
