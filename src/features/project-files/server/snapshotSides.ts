// Whether each snapshot of a file has the rows that it counts: by a side for each row, or by the buckets of its
// dataset.
import { inflateRawSync } from 'node:zlib';
import { SIDE_CODES } from '#features/datasets/shared/split.ts';
import type { RecordOf } from './records.ts';
import { refuseFile } from './transferProblem.ts';

export interface SnapshotSides {
  addRows(record: RecordOf<'rows'>): void;
  /** Ends the one before it. */
  begin(record: RecordOf<'snapshot'>, line: number): void;
  freeze(record: RecordOf<'frozen'>, line: number): void;
  /** Throws TransferProblem if the last snapshot has other rows than it says. `line`: that after it. */
  end(line: number): void;
}

/** A byte for each row of a snapshot. A bomb is cut off where the snapshot ends. */
function inflateSides(sides: string, rows: number): Uint8Array | null {
  try {
    const bytes = inflateRawSync(Buffer.from(sides, 'base64'), { maxOutputLength: rows + 1 });
    return bytes.length === rows && bytes.every((side) => side <= SIDE_CODES.validation) ? bytes : null;
  } catch {
    return null;
  }
}

export function openSnapshotSides(): SnapshotSides {
  /** Sides of the rows of each dataset, in pieces; only of those whose rows have buckets. */
  const buckets = new Map<string, { readonly first: number; readonly sides: Uint8Array }[]>();
  let open: RecordOf<'snapshot'> | null = null;
  let isFrozen = false;

  const wrong = (line: number, what: string): never => {
    throw refuseFile('wrong_record', `Line ${line} ${what}`);
  };

  function check(pieces: readonly Uint8Array[], line: number): void {
    if (!open) return;
    const counts = [0, 0, 0];
    for (const piece of pieces) for (const side of piece) counts[side] = (counts[side] ?? 0) + 1;
    const { id, training_count, validation_count } = open;
    const [, training = 0, validation = 0] = counts;
    if (training === training_count && validation === validation_count) return;
    wrong(
      line,
      `leaves the snapshot ${id} with ${training} training rows and ${validation} validation rows, not with ` +
        `the ${training_count} and ${validation_count} that it says.`,
    );
  }

  function end(line: number): void {
    if (open && !isFrozen) {
      const { dataset_id, rows_end } = open;
      const pieces = (buckets.get(dataset_id) ?? []).filter(({ first }) => first < rows_end);
      check(
        pieces.map(({ first, sides }) => sides.subarray(0, rows_end - first)),
        line,
      );
    }
    open = null;
  }

  return {
    addRows({ dataset_id, first, rows }) {
      if (!rows.some(({ bucket }) => bucket)) return;
      const sides = Uint8Array.from(rows, ({ bucket }) => SIDE_CODES[bucket ?? 'none']);
      const pieces = buckets.get(dataset_id) ?? [];
      pieces.push({ first, sides });
      buckets.set(dataset_id, pieces);
    },
    begin(record, line) {
      end(line);
      open = record;
      isFrozen = false;
    },
    freeze({ sides }, line) {
      const rows = open?.rows_end ?? 0;
      if (isFrozen) wrong(line, '(frozen) says the sides of its snapshot again.');
      const bytes = inflateSides(sides, rows) ?? wrong(line, `(frozen) does not say the sides of ${rows} rows.`);
      isFrozen = true;
      check([bytes], line);
    },
    end,
  };
}
