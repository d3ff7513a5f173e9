import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerPage, EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { Select } from '#ui/fields/Select.tsx';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import {
  ALL_ROWS,
  isChangeKind,
  PAGE_ROWS,
  parseAnswerFilter,
  toAnswerFilterText,
  toAnswersQuery,
  type AnswerFilter,
  type RowKind,
} from './answerFilter.ts';
import { AnswerCell } from './AnswerCell.tsx';
import { AnswerDialog } from './AnswerDialog.tsx';
import { useRecordActions } from './recordActions.ts';
import { answersQuery } from './recordQueries.ts';
import { SearchField } from './SearchField.tsx';
import { toRowQuestion } from './rowTexts.ts';
import { useModelNames } from './modelNames.ts';

const KINDS: readonly { readonly value: RowKind; readonly label: string }[] = [
  { value: 'all', label: 'All rows' },
  { value: 'changed', label: 'Worse, then better than the baseline' },
  { value: 'regressed', label: 'Worse than the baseline' },
  { value: 'improved', label: 'Better than the baseline' },
  { value: 'fail', label: 'Failed' },
  { value: 'pass', label: 'Passed' },
  { value: 'not_checked', label: 'Not checked' },
  { value: 'error', label: 'Without an answer' },
  { value: 'differ', label: 'Models or repeats differ' },
];

const changeFilter = (filter: AnswerFilter, patch: Partial<AnswerFilter>): void =>
  updateUrl({ answers: toAnswerFilterText({ ...filter, page: 0, ...patch }) }, { replace: true });

interface FiltersProps {
  filter: AnswerFilter;
  evaluation: Evaluation;
  run: EvaluationRun;
}

function Filters({ filter, evaluation, run }: FiltersProps) {
  const nameOf = useModelNames();
  const isChange = isChangeKind(filter.kind);
  const models = run.models.filter(({ model }) => !isChange || model !== run.baseline);
  const tags = Object.entries(evaluation.tags).flatMap(([tag, values]) =>
    values.map((value) => ({ value: JSON.stringify([tag, value]), label: `${tag}: ${value}` })),
  );
  const onKind = (value: string) => {
    const kind = KINDS.find((each) => each.value === value)?.value ?? 'all';
    const needsModel = isChangeKind(kind) && (filter.model ?? run.baseline) === run.baseline;
    const other = run.models.find(({ model }) => model !== run.baseline)?.model ?? null;
    changeFilter(filter, { kind, ...(kind === 'all' ? { model: null } : needsModel && { model: other }) });
  };
  const onTag = (text: string) => {
    const [tag = null, value = null] = text === '' ? [] : (JSON.parse(text) as readonly string[]);
    changeFilter(filter, { tag, value });
  };
  return (
    <>
      <Select label="Rows" isLabelHidden value={filter.kind} options={KINDS} onChange={onKind} />
      {filter.kind !== 'all' && (
        <Select
          label="Of model"
          value={filter.model ?? ''}
          options={[
            ...(isChange ? [] : [{ value: '', label: 'any model' }]),
            ...models.map(({ model }) => ({ value: model, label: nameOf(model) })),
          ]}
          onChange={(model) => changeFilter(filter, { model: model === '' ? null : model })}
        />
      )}
      {tags.length > 0 && (
        <Select
          label="Tag"
          value={filter.tag === null ? '' : JSON.stringify([filter.tag, filter.value])}
          options={[{ value: '', label: 'any' }, ...tags]}
          onChange={onTag}
        />
      )}
      <SearchField value={filter.search} onChange={(search) => changeFilter(filter, { search })} />
    </>
  );
}

interface PagesProps {
  filter: AnswerFilter;
  total: number;
}

function Pages({ filter, total }: PagesProps) {
  const first = filter.page * PAGE_ROWS;
  const last = Math.min(total, first + PAGE_ROWS);
  return (
    <div className="flex items-center gap-2 px-3 py-2">
      <span className="text-sm text-soft tabular-nums">
        {total === 0 ? 'No row' : `Rows ${formatCount(first + 1)} to ${formatCount(last)} of ${formatCount(total)}`}
      </span>
      <Button
        size="small"
        onClick={() => changeFilter(filter, { page: filter.page - 1 })}
        disabledReason={filter.page === 0 ? 'These are the first rows.' : null}
      >
        Previous
      </Button>
      <Button
        size="small"
        onClick={() => changeFilter(filter, { page: filter.page + 1 })}
        disabledReason={last >= total ? 'These are the last rows.' : null}
      >
        Next
      </Button>
    </div>
  );
}

interface AnswersCardProps {
  evaluation: Evaluation;
  run: EvaluationRun;
}

/** The rows of a run with the answers of all models, in pages. */
export function AnswersCard({ evaluation, run }: AnswersCardProps) {
  const filter = parseAnswerFilter(useUrlState().answers);
  const nameOf = useModelNames();
  const { keepFailures } = useRecordActions();
  const { data, error, refetch } = useQuery({
    ...answersQuery(run, toAnswersQuery(filter)),
    placeholderData: keepPreviousData,
  });
  const [opened, setOpened] = useState<number | null>(null);
  const rows: AnswerPage['rows'] = data?.rows ?? [];
  const at = rows.findIndex(({ position }) => position === opened);
  const row = rows[at];
  return (
    <Card
      title="Rows"
      note={data && formatCounted(data.total, 'row')}
      actions={
        <>
          <Filters filter={filter} evaluation={evaluation} run={run} />
          <ChangeButton size="small" onClick={() => keepFailures(evaluation, run.id, filter.model)}>
            Evaluate failures alone
          </ChangeButton>
        </>
      }
    >
      {error && !data ? (
        <ErrorNotice title="The rows can’t be read" detail={error.message} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="p-3" rows={6} />
      ) : data.total === 0 ? (
        <p className="flex items-center gap-2 px-3 py-4 text-soft">
          No row fits.
          <Button size="small" onClick={() => changeFilter(ALL_ROWS, {})}>
            Show all rows
          </Button>
        </p>
      ) : (
        <>
          <SimpleTable
            caption="Rows with the answers of all models"
            className="px-3"
            heads={['Row', 'Question', 'Expected', ...run.models.map(({ model }) => nameOf(model))]}
          >
            {rows.map((each) => (
              <tr key={each.position} className="align-top">
                <th scope="row" className="py-1.5 pr-4 font-normal tabular-nums">
                  <button
                    type="button"
                    aria-label={`Open row ${each.position + 1}`}
                    className="min-h-6 min-w-6 rounded text-left underline decoration-line-strong underline-offset-2"
                    onClick={() => setOpened(each.position)}
                  >
                    {each.position + 1}
                  </button>
                </th>
                <td className="max-w-72 min-w-40 py-1.5 pr-4">
                  <span className="line-clamp-3 break-words">{toRowQuestion(each, evaluation.prompt)}</span>
                </td>
                <td className="max-w-56 min-w-24 py-1.5 pr-4">
                  <span className="line-clamp-3 break-words text-soft">{each.expected ?? 'none'}</span>
                </td>
                {run.models.map(({ model }) => (
                  <td key={model} className="max-w-64 min-w-32 py-1.5 pr-4">
                    <AnswerCell answers={each.answers.filter((answer) => answer.model === model)} />
                  </td>
                ))}
              </tr>
            ))}
          </SimpleTable>
          <Pages filter={filter} total={data.total} />
        </>
      )}
      {row && (
        <AnswerDialog
          evaluation={evaluation}
          run={run}
          row={row}
          onClose={() => setOpened(null)}
          onPrevious={at > 0 ? () => setOpened(rows[at - 1]?.position ?? null) : null}
          onNext={at < rows.length - 1 ? () => setOpened(rows[at + 1]?.position ?? null) : null}
        />
      )}
    </Card>
  );
}
