// The rows that are chosen in the table. Another filter begins with none.
import { useLayoutEffect, useRef, useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { readPositions, type RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { showToast } from '#ui/kit/toast.ts';

export interface Selection {
  readonly selected: ReadonlySet<number>;
  /** The rows of the filter are being read. */
  readonly isReading: boolean;
  readonly toggle: (position: number) => void;
  readonly add: (positions: readonly number[]) => void;
  /** Chooses all rows that the filter finds, at most as many as one change takes. */
  readonly addAll: () => void;
  readonly clear: () => void;
}

interface Chosen {
  readonly key: string;
  readonly rows: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

export function useSelection(of: RowsOf, filter: RowFilter): Selection {
  const key = JSON.stringify(filter);
  const [chosen, setChosen] = useState<Chosen>({ key, rows: NONE });
  const [reading, setReading] = useState<string | null>(null);
  const latest = useRef(key);
  useLayoutEffect(() => {
    latest.current = key;
  });
  const change = (toNext: (rows: ReadonlySet<number>) => ReadonlySet<number>) =>
    setChosen((last) => ({ key, rows: toNext(last.key === key ? last.rows : NONE) }));
  async function readAll(): Promise<void> {
    setReading(key);
    try {
      const positions = await readPositions(of, filter, DATA_LIMITS.marks);
      // What comes after the filter has changed belongs to no table.
      if (latest.current === key) setChosen({ key, rows: new Set(positions) });
    } catch (error) {
      const { detail, hint } = toErrorWords(error instanceof Error ? error : new Error(String(error)));
      showToast(`No row was selected. ${detail} ${hint}`, { tone: 'error' });
    } finally {
      setReading((last) => (last === key ? null : last));
    }
  }
  return {
    selected: chosen.key === key ? chosen.rows : NONE,
    isReading: reading === key,
    toggle: (position) =>
      change((rows) => {
        const next = new Set(rows);
        if (!next.delete(position)) next.add(position);
        return next;
      }),
    add: (positions) => change((rows) => new Set([...rows, ...positions])),
    addAll: () => void readAll(),
    clear: () => setChosen({ key, rows: NONE }),
  };
}
