import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { fitsQuery } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { NO_FILTER } from './rowFilter.ts';

/** Which trainers and services take the rows. All rows are read for it, so a person asks. */
export function FitsLine({ of }: { of: RowsOf }) {
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
