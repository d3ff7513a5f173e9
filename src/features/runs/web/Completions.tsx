import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { CompletionList, CompletionRow } from '#features/runs/shared/completions.ts';
import type { Run } from '#features/runs/shared/runs.ts';
import { completionsQuery } from '#features/runs/web/api/completionsQuery.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FILE_ORDER, toRangeText, toSortOptions, toStepOptions, toValueText } from './completionWords.ts';

interface CompletionsProps {
  run: Run;
}

/** As many as an answer of the service holds (`COMPLETION_ROWS`, which comes with the schema library). */
const PAGE_ROWS = 50;

/** Characters of a text before a person unfolds it. */
const FOLDED = 600;

function Text({ title, text, row }: { title: string; text: string | null; row: number }) {
  const [isOpen, setOpen] = useState(false);
  const what = isOpen ? 'Less' : `All ${formatCount(text?.length ?? 0)} characters`;
  return (
    <div className="min-w-0">
      <h4 className="text-sm text-soft">{title}</h4>
      {text === null || text === '' ? (
        <p className="text-soft">{text === null ? 'none' : 'empty'}</p>
      ) : (
        <p className="whitespace-pre-wrap">
          {isOpen ? text : text.slice(0, FOLDED)}
          {text.length > FOLDED && (
            <>
              {!isOpen && '… '}
              <Button
                size="small"
                variant="quiet"
                aria-expanded={isOpen}
                aria-label={`${what} of the ${title.toLowerCase()} of row ${formatCount(row + 1)}`}
                onClick={() => setOpen(!isOpen)}
              >
                {what}
              </Button>
            </>
          )}
        </p>
      )}
    </div>
  );
}

function Row({ row, measures }: { row: CompletionRow; measures: readonly string[] }) {
  return (
    <li className="flex flex-col gap-1.5 border-t border-line pt-2">
      <dl className="flex flex-wrap items-baseline gap-x-4 text-sm">
        <dt className="sr-only">Row</dt>
        <dd className="text-soft">row {formatCount(row.row + 1)}</dd>
        {measures.map((name, at) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-soft">{name}</dt>
            <dd className="font-mono">{toValueText(row.values[at])}</dd>
          </div>
        ))}
        {row.is_cut && <dd className="text-warning">cut at 20,000 characters; the file has the full text</dd>}
      </dl>
      <div className="grid gap-x-6 gap-y-2 @min-[640px]:grid-cols-2">
        <Text title="Prompt" text={row.prompt} row={row.row} />
        <Text title="Completion" text={row.completion} row={row.row} />
      </div>
    </li>
  );
}

function Pages({ list, onOffset }: { list: CompletionList; onOffset: (offset: number) => void }) {
  const { offset, rows, found } = list;
  if (offset === 0 && rows.length >= found) return null;
  return (
    <div className="flex gap-2">
      <Button
        size="small"
        disabledReason={offset === 0 ? 'These are the first rows.' : null}
        onClick={() => onOffset(Math.max(0, offset - PAGE_ROWS))}
      >
        Rows before
      </Button>
      <Button
        size="small"
        disabledReason={offset + rows.length >= found ? 'These are the last rows.' : null}
        onClick={() => onOffset(offset + PAGE_ROWS)}
      >
        More rows
      </Button>
    </div>
  );
}

/** What a run answered at a step, with the rewards. Sorted by the first reward until a person chooses. */
export function Completions({ run }: CompletionsProps) {
  const [step, setStep] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [offset, setOffset] = useState(0);
  const search = useDeferredValue(typed.trim());
  const [measures, setMeasures] = useState<readonly string[]>([]);
  const steps = toStepOptions(run.row_files);
  const shownStep = step ?? steps[0]?.value ?? '';
  const sort = chosen ?? measures[0] ?? FILE_ORDER;
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(
    completionsQuery(run.id, {
      step: shownStep === '' ? null : Number(shownStep),
      search,
      offset,
      sort: sort === FILE_ORDER ? null : sort,
    }),
  );
  if (data && data.measures.join('\n') !== measures.join('\n')) setMeasures(data.measures);
  const change = (act: () => void): void => {
    act();
    setOffset(0);
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        {steps.length > 0 && (
          <Select label="Step" value={shownStep} options={steps} onChange={(value) => change(() => setStep(value))} />
        )}
        <TextField
          label="Find in prompts and completions"
          isLabelHidden
          placeholder="Find in prompts and completions"
          value={typed}
          onChange={(value) => change(() => setTyped(value))}
          className="w-64"
        />
        {measures.length > 0 && (
          <Select
            label="Sorted by"
            value={sort}
            options={toSortOptions(measures)}
            onChange={(value) => change(() => setChosen(value))}
          />
        )}
        {data && !error && (
          <output className="text-sm text-soft">
            {isPlaceholderData
              ? 'Reading… These are the rows from before.'
              : toRangeText(data.offset, data.rows.length, data.found, data.total)}
          </output>
        )}
      </div>
      {error ? (
        <ErrorNotice
          title="The completions can’t be read"
          detail={error.message}
          hint={undefined}
          onRetry={() => void refetch()}
        />
      ) : isPending ? (
        <Skeleton rows={6} />
      ) : (
        <>
          <ul aria-busy={isPlaceholderData} className="flex flex-col gap-3">
            {data.rows.map((row) => (
              <Row key={row.row} row={row} measures={data.measures} />
            ))}
          </ul>
          <Pages list={data} onOffset={setOffset} />
          <p className="text-sm [overflow-wrap:anywhere] text-soft">
            {data.file}
            {data.left_out.length > 0 && ` · not shown: ${data.left_out.join(', ')}`}
          </p>
        </>
      )}
    </div>
  );
}
