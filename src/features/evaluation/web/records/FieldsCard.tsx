import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toScorerNames } from '#features/evaluation/shared/checkNames.ts';
import type { EvaluationRun, FieldScores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toScoreText } from '#features/evaluation/shared/scoreText.ts';
import { RateBar } from '#features/evaluation/web/RateBar.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ConfusionTable } from './ConfusionTable.tsx';
import { useModelNames } from './modelNames.ts';
import { toLeftOutText } from './recordWords.ts';
import { fieldsQuery, isSameButState } from './recordQueries.ts';

type Field = FieldScores['fields'][number];

interface FieldTableProps {
  fields: readonly Field[];
  shown: string | null;
  onShow: (name: string | null) => void;
}

function FieldTable({ fields, shown, onShow }: FieldTableProps) {
  return (
    <SimpleTable caption="Fields" className="max-h-96 px-3 pb-2" heads={['Field', 'Right', 'Taken for']}>
      {fields.map((field) => {
        const { name, rate, low, high, passed, total, confusion } = field;
        return (
          <tr key={name} className="align-top">
            <th scope="row" className="max-w-72 truncate py-1.5 pr-4 font-mono text-sm font-normal" title={name}>
              {name}
            </th>
            <td className="min-w-40 py-1.5 pr-4 tabular-nums">
              {toScoreText({ rate, low, high, passed, total }, 'answer')}
              <RateBar rate={{ rate, low, high }} />
            </td>
            <td className="py-1.5">
              {confusion ? (
                <Button
                  size="small"
                  aria-expanded={shown === name}
                  onClick={() => onShow(shown === name ? null : name)}
                >
                  {formatCount(confusion.values.length)} {confusion.values.length === 1 ? 'value' : 'values'}
                  <span className="sr-only"> of {name}</span>
                </Button>
              ) : (
                <span className="text-faint">many values</span>
              )}
            </td>
          </tr>
        );
      })}
    </SimpleTable>
  );
}

interface FieldsCardProps {
  /** As it was asked and judged. */
  evaluation: Pick<Evaluation, 'checks'>;
  run: EvaluationRun;
}

/** Which fields of JSON answers, or arguments of calls, are right, and what their values are taken for. Nothing without such a check. */
export function FieldsCard({ evaluation: { checks }, run }: FieldsCardProps) {
  const nameOf = useModelNames();
  const scorers = checks.filter(({ kind }) => kind === 'json-fields' || kind === 'tool-arguments').map(({ id }) => id);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState({ model: run.models[0]?.model ?? '', scorer: scorers[0] ?? '' });
  const [shown, setShown] = useState<string | null>(null);
  const scorer = scorers.includes(chosen.scorer) ? chosen.scorer : (scorers[0] ?? '');
  const query = fieldsQuery(run, chosen.model, scorer);
  const { data, error, refetch } = useQuery({
    ...query,
    enabled: isOpen && scorer !== '',
    placeholderData: (last, old) => (isSameButState(old?.queryKey, query.queryKey) ? last : undefined),
  });
  if (scorers.length === 0 || run.done === 0) return null;
  const field = data?.fields.find(({ name }) => name === shown);
  return (
    <Card
      title="By field"
      actions={
        isOpen ? (
          <>
            {scorers.length > 1 && (
              <Select
                label="Check"
                value={scorer}
                options={scorers.map((value) => ({ value, label: toScorerNames(checks)(value) }))}
                onChange={(next) => setChosen({ ...chosen, scorer: next })}
              />
            )}
            <Select
              label="Model"
              value={chosen.model}
              options={run.models.map(({ model }) => ({ value: model, label: nameOf(model) }))}
              onChange={(model) => setChosen({ ...chosen, model })}
            />
          </>
        ) : (
          <Button size="small" onClick={() => setOpen(true)}>
            Show the fields
          </Button>
        )
      }
    >
      {!isOpen ? undefined : error && !data ? (
        <ErrorNotice title="The fields can’t be read" detail={error.message} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="p-3" rows={4} />
      ) : data.fields.length === 0 ? (
        <p className="px-3 py-4 text-soft">No answer was judged by field: the rows have no expected answer.</p>
      ) : (
        <>
          <FieldTable fields={data.fields} shown={shown} onShow={setShown} />
          <p className="px-3 pb-2 text-sm text-warning empty:hidden">{toLeftOutText(data)}</p>
          {field?.confusion && <ConfusionTable name={field.name} confusion={field.confusion} />}
        </>
      )}
    </Card>
  );
}
