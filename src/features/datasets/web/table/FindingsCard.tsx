import { useQuery } from '@tanstack/react-query';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { findingsQuery, fitsQuery } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { toWorkText } from './lengthBars.ts';
import { toFindingLabel, NO_FILTER } from './rowFilter.ts';
import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';

/** Which trainers and services take the rows. All rows are read for it, so a person asks. */
function FitsLine({ of }: { of: RowsOf }) {
  const [isAsked, setAsked] = useState(false);
  const { data, error, refetch } = useQuery({ ...fitsQuery(of, NO_FILTER), enabled: isAsked });
  if (!isAsked)
    return (
      <Button size="small" onClick={() => setAsked(true)}>
        Which trainers take these rows?
      </Button>
    );
  if (error) return <ErrorNotice title="Not known" {...toErrorWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <p className="text-soft">The rows are being read.</p>;
  const fitting = data.fits.filter(({ first }) => first === null).map(({ name }) => name);
  return (
    <section aria-label="Trainers that take these rows" className="text-sm">
      <p>{fitting.length === 0 ? 'No trainer takes all of these rows.' : `Fits ${fitting.join(', ')}.`}</p>
      <ul>
        {data.fits.map(
          ({ form, misfits, first }) =>
            first && (
              <li key={form} className="text-soft">
                Row {formatCount(first.position + 1)}
                {misfits > 1 && ` and ${formatCounted(misfits - 1, 'other')}`}: {first.reason}
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

interface FindingsCardProps {
  of: RowsOf;
  /** The finding that the table is filtered by. */
  value: string | undefined;
  onChange: (kind: string | undefined) => void;
}

/** What to look at before it costs money. Each finding filters the table. */
export function FindingsCard({ of, value, onChange }: FindingsCardProps) {
  const { model, isLoading } = useSeenModel();
  const { data, error, refetch } = useQuery({ ...findingsQuery(of, model), enabled: !isLoading });
  const some = data?.findings.filter(({ count }) => count > 0) ?? [];
  const chosen = some.find(({ kind }) => kind === value);
  return (
    <Card title="Check before you train" note={data ? toWorkText(data, 'checking') : null}>
      <div className="p-3">
        {error ? (
          <ErrorNotice title="No findings" {...toErrorWords(error)} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton rows={2} />
        ) : (
          <>
            {data.state === 'failed' && (
              <ErrorNotice
                title="The rows were not checked"
                detail={data.error ?? 'The studio did not say why.'}
                onRetry={() => void refetch()}
              />
            )}
            {some.length > 0 ? (
              <fieldset aria-label="Findings" className="flex flex-wrap gap-1.5">
                {some.map(({ kind, count, about }) => (
                  <button
                    key={kind}
                    type="button"
                    aria-pressed={kind === value}
                    title={about}
                    onClick={() => onChange(kind === value ? undefined : kind)}
                    className={`h-6 rounded-full border px-2 ${
                      kind === value
                        ? 'border-accent bg-accent-soft text-accent'
                        : 'border-line-strong hover:border-faint'
                    }`}
                  >
                    {toFindingLabel(kind)} <span className="font-semibold">{formatCount(count)}</span>
                  </button>
                ))}
              </fieldset>
            ) : data.state === 'done' || data.is_old ? (
              <p className="text-soft">No duplicates, contradictions, empty messages or broken tool calls.</p>
            ) : (
              data.state === 'running' && <p className="text-soft">The rows are being checked.</p>
            )}
            <div className="mt-2">
              <FitsLine of={of} />
            </div>
            {chosen && (
              <p className="mt-2 text-soft">
                {chosen.about}
                {of.kind === 'snapshot' && ' A snapshot is frozen: rows are edited and set aside in its dataset.'}
              </p>
            )}
          </>
        )}
      </div>{' '}
    </Card>
  );
}
