import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RowsOf } from '#shared/contract/data/dataRoutes.ts';
import { fitsQuery } from '#web/api/data/rowQueries.ts';
import { toErrorWords } from '#web/api/failure.ts';
import { Button } from '#web/ui/Button.tsx';
import { ErrorNotice } from '#web/ui/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#web/ui/format.ts';
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
