// What the table of rows is filtered by: the rows of a link are in the address, all else is a person's current work.
import { useCallback, useMemo, useState } from 'react';
import type { RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { NO_FILTER, toPlaced } from './rowFilter.ts';

export function useRowFilter(): readonly [filter: RowFilter, setFilter: (filter: RowFilter) => void] {
  const { rows } = useUrlState();
  const [own, setOwn] = useState<RowFilter>(NO_FILTER);
  const filter = useMemo(() => ({ ...own, ...toPlaced(rows) }), [own, rows]);
  const setFilter = useCallback(({ positions = '', ...next }: RowFilter) => {
    setOwn(next);
    if (positions === '') updateUrl({ rows: [] });
  }, []);
  return [filter, setFilter];
}
