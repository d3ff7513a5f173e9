import { Download } from 'lucide-react';
import type { LineProblem } from '#shared/data/lineText.ts';
import { badLinesPath } from '#shared/contract/data/dataRoutes.ts';
import { Button } from '#web/ui/Button.tsx';
import { downloadFrom } from '#web/ui/download.ts';
import { formatCount } from '#web/ui/format.ts';

interface BadLinesProps {
  lines: readonly LineProblem[];
  /** All there are; more than are listed. */
  count: number;
  /** The dataset whose bad lines can be downloaded; null: these are all that is known. */
  datasetId: string | null;
  fileName: string;
}

/** Lines that can’t be read as rows: where, why, and how they begin. */
export function BadLines({ lines, count, datasetId, fileName }: BadLinesProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="max-h-64 overflow-auto rounded-lg border border-line" tabIndex={-1}>
        <table className="w-full text-left text-sm">
          <caption className="sr-only">Lines that can’t be read as rows</caption>
          <thead className="sticky top-0 bg-surface text-soft">
            <tr>
              <th scope="col" className="px-2.5 py-1.5 font-medium">
                Line
              </th>
              <th scope="col" className="px-2.5 py-1.5 font-medium">
                Column
              </th>
              <th scope="col" className="px-2.5 py-1.5 font-medium">
                What is wrong
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, column, message, start }) => (
              <tr key={`${line} ${column}`} className="border-t border-line align-top">
                <td className="px-2.5 py-1.5 tabular-nums">{formatCount(line)}</td>
                <td className="px-2.5 py-1.5 tabular-nums">{column === null ? '–' : formatCount(column)}</td>
                <td className="px-2.5 py-1.5">
                  <span className="block">{message}</span>
                  {start !== '' && (
                    <code className="line-clamp-2 font-mono text-xs break-all text-soft" title={start}>
                      {start}
                    </code>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        {count > lines.length && <span>The first {formatCount(lines.length)}.</span>}
        {datasetId !== null && (
          <Button
            size="small"
            onClick={() => downloadFrom(badLinesPath(datasetId), `${fileName.replace(/\.\w+$/, '')}.bad-lines.jsonl`)}
          >
            <Download aria-hidden size={13} />
            Download {count === 1 ? 'it' : `all ${formatCount(count)}`}
          </Button>
        )}
      </div>
    </div>
  );
}
