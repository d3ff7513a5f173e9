import { useId } from 'react';
import type { Examples } from '#core/contract/sessionInfo.ts';
import type { RowFormat } from '#features/evaluation/shared/promptRow.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { toRowsText } from '#features/evaluation/web/grid/gridWords.ts';
import { ROW_SAMPLES, toExampleRows } from '#features/evaluation/web/grid/rowSamples.ts';
import { FileButton } from './FileButton.tsx';
import type { RowSource } from './useRowSource.ts';

interface TypedRowsProps {
  source: RowSource;
}

/** Rows that are typed or pasted. While there are none, samples of the formats are offered. */
function TypedRows({ source: { typed, type, fill } }: TypedRowsProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-soft">
        Rows
      </label>
      <textarea
        id={id}
        rows={9}
        value={typed}
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        className={
          'w-full resize-y rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 font-mono text-sm ' +
          'whitespace-pre hover:border-faint'
        }
      />
      {typed === '' && (
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          Fill in a sample:
          {ROW_SAMPLES.map(({ label, text }) => (
            <button
              key={label}
              type="button"
              className="min-h-6 rounded px-1 text-accent hover:underline"
              onClick={() => fill(text)}
            >
              {label}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

interface RowSourceFieldProps {
  source: RowSource;
  /** Example prompts of the model's dataset; null: none are known. */
  examples: Examples | null;
}

const AUTO = 'auto';
const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'jsonl', label: 'JSONL' },
  { value: 'csv', label: 'CSV' },
  { value: 'lines', label: 'one prompt per line' },
] as const;
const isFormat = (value: string): value is RowFormat => FORMATS.some((format) => format.value === value);

/** A file or a text to read rows from, and its format. */
export function RowSourceField({ source, examples }: RowSourceFieldProps) {
  const { file, format, guessed, isBlank, read, problem } = source;
  const guessedName = FORMATS.find(({ value }) => value === guessed)?.label ?? guessed;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FileButton accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt,text/*" onChoose={source.openFile} />
        {examples !== null && (
          <Button onClick={() => source.fill(toExampleRows(examples))} title={examples.about}>
            Example prompts of the dataset
          </Button>
        )}
        <span className="text-soft">or drop one here, or paste below</span>
      </div>
      {problem !== null && (
        <p role="alert" className="text-error">
          {problem}
        </p>
      )}
      {file === null ? (
        <TypedRows source={source} />
      ) : (
        <p className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{file.name}</span>
          <Button size="small" variant="quiet" onClick={source.closeFile}>
            Use another
          </Button>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Format"
          value={format ?? AUTO}
          onChange={(value) => source.setFormat(isFormat(value) ? value : null)}
          options={[{ value: AUTO, label: isBlank ? 'automatic' : `automatic: ${guessedName}` }, ...FORMATS]}
        />
        <output className="text-soft">{isBlank ? '' : `${toRowsText(read.rows.length)} read`}</output>
      </div>
    </>
  );
}
