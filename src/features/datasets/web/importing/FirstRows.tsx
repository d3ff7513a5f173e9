import { RowChat } from '#features/datasets/web/row/RowChat.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { BadLines } from './BadLines.tsx';
import { toShareText, type Preview } from './preview.ts';

interface FirstRowsProps {
  preview: Preview;
  fileName: string;
}

const SHOWN_PROBLEMS = 5;
/** Its keys scroll it: nothing in it can be focused. */
const SCROLLED = { tabIndex: 0 };

const toPlaceLabel = (line: number, column: number | undefined): string =>
  `Row in line ${formatCount(line)}${column === undefined ? '' : `, column ${formatCount(column)}`}`;

/** The first rows as they will be stored, and the first lines that are no rows. */
export function FirstRows({ preview, fileName }: FirstRowsProps) {
  const { rows, problems, unit, leftOut } = preview;
  return (
    <>
      {rows.length > 0 && (
        <div className="flex flex-col gap-2">
          <h3 className="font-medium">
            The first {rows.length === 1 ? 'row' : `${rows.length} rows`}, as they will be stored
          </h3>
          <section aria-label="First rows" {...SCROLLED} className="flex max-h-80 flex-col gap-2 overflow-y-auto">
            {rows.map(({ line, column, row }) => (
              <RowChat key={`${line} ${column}`} row={row} label={toPlaceLabel(line, column)} />
            ))}
          </section>
        </div>
      )}
      {leftOut.length > 0 && (
        <p className="text-sm text-soft">
          Fields that a row does not have: {leftOut.slice(0, 8).join(', ')}
          {leftOut.length > 8 && ` and ${leftOut.length - 8} more`}. They stay in the original line.
        </p>
      )}
      {problems.length > 0 && (
        <section aria-label={`Bad ${unit}s`} className="flex flex-col gap-2">
          <h3 className="font-medium text-error">
            {toShareText(problems.length, preview)}{' '}
            {problems.length === 1 ? 'can’t be read as a row' : 'can’t be read as rows'}
          </h3>
          <BadLines
            lines={problems.slice(0, SHOWN_PROBLEMS)}
            count={problems.length}
            datasetId={null}
            fileName={fileName}
          />
          <p className="text-sm text-soft">
            An import without bad {unit}s leaves out all of them, also those farther on in the file. They are listed
            after it, and can be downloaded.
          </p>
        </section>
      )}
    </>
  );
}
