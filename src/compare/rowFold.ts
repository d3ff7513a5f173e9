// Which rows of the compare table stand at once, and which are folded away. Pure; it must not know how a row looks.
import { PARAMETERS, type CompareRow } from '../training/compareTable';
import { splitFigures, type Figures } from '../training/manyFigures';

/** What every service is asked for, and what most tell of a run: never folded. */
const KNOWN: ReadonlySet<string> = new Set([...PARAMETERS.map(({ id }) => id), 'steps', 'seconds', 'first_loss', 'last_loss', 'held_out_rows']);

/** `kept`: the row that orders the columns. */
export function toFoldedRows(rows: readonly CompareRow[], kept: string | null): Figures<CompareRow> {
  return splitFigures(rows, ({ parameter }) => !KNOWN.has(parameter.id), ({ parameter }) => parameter.id === kept);
}
