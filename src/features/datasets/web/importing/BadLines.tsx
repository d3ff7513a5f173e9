import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { Download } from 'lucide-react';
import type { LineProblem } from '#core/rows/lineText.ts';
import { Button } from '#ui/kit/Button.tsx';
import { downloadFrom } from '#ui/kit/download.ts';
import { formatCount } from '#ui/kit/format.ts';
import { toPath } from '#core/contract/path.ts';

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
      <SimpleTable
        caption="Lines that can’t be read as rows"
        heads={['Line', 'Column', 'What is wrong']}
        className="max-h-64 rounded-lg border border-line px-2.5 py-1.5 text-sm"
      >
        {lines.map(({ line, column, message, start }) => (
          <tr key={`${line} ${column}`} className="align-top">
            <td className="py-1.5 pr-4 tabular-nums">{formatCount(line)}</td>
            <td className="py-1.5 pr-4 tabular-nums">{column === null ? '–' : formatCount(column)}</td>
            <td className="py-1.5">
              <span className="block">{message}</span>
              {start !== '' && (
                <code className="line-clamp-2 font-mono text-xs break-all text-soft" title={start}>
                  {start}
                </code>
              )}
            </td>
          </tr>
        ))}
      </SimpleTable>
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        {count > lines.length && <span>The first {formatCount(lines.length)}.</span>}
        {datasetId !== null && (
          <Button
            size="small"
            onClick={() =>
              downloadFrom(
                toPath('/api/v1/studio/datasets/{datasetId}/bad-lines', [datasetId]),
                `${fileName.replace(/\.\w+$/, '')}.bad-lines.jsonl`,
              )
            }
          >
            <Download aria-hidden size={13} />
            Download {count === 1 ? 'it' : `all ${formatCount(count)}`}
          </Button>
        )}
      </div>
    </div>
  );
}
