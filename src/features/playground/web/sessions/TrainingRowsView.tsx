import { Download, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { downloadText } from '#ui/kit/download.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toBy } from '#features/playground/web/library/library.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { toRowOutline, toTrainingFile } from './trainingLine.ts';
import { removeTrainingRows } from './changeTrainingRows.ts';
import { loadTrainingRows, useTrainingRows } from './trainingRows.ts';

const MAX_LISTED = 200;

/** The list of collected training examples, with download as JSONL. */
export function TrainingRowsView() {
  const { rows, hasLibrary, problem } = useTrainingRows();
  const readOnlyReason = useReadOnlyReason();
  const [isLoadFailed, setLoadFailed] = useState(false);
  const load = useCallback(
    () =>
      void loadTrainingRows().then(
        () => setLoadFailed(false),
        () => setLoadFailed(true),
      ),
    [],
  );
  useEffect(load, [load]);
  const notice = isLoadFailed && (
    <ErrorNotice
      title="The stored training examples can’t be read"
      detail="The browser’s storage gave an error."
      hint="Those that were added since the page was loaded are in the list, if there are any."
      onRetry={load}
    />
  );
  if (rows === null) return notice || <Skeleton rows={4} />;
  if (rows.length === 0) {
    return (
      <EmptyState title="No training examples yet">
        Choose “Use as expected answer” in the menu of an answer. What was sent and the answer become one line of a
        JSONL file for fine-tuning. If the answer should be better, edit it first.
      </EmptyState>
    );
  }
  const left = hasLibrary === true ? rows.filter(({ item }) => item === undefined).length : 0;
  const clearReason = left < rows.length && hasLibrary === true ? readOnlyReason : null;
  const name = `${formatCount(rows.length)} ${rows.length === 1 ? 'example' : 'examples'}`;
  return (
    <div className="flex flex-col gap-3">
      {notice}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-soft">{name}, one JSON object with “messages” a line</p>
        <CopyButton label="Copy all" text={() => toTrainingFile(rows)} />
        <Button disabledReason={clearReason} onClick={() => void removeTrainingRows(rows, `${name} removed`)}>
          <Trash2 aria-hidden size={13} /> Clear
        </Button>
        <Button
          variant="primary"
          onClick={() => downloadText('examples.jsonl', 'application/x-ndjson', toTrainingFile(rows))}
        >
          <Download aria-hidden size={13} /> Download JSONL
        </Button>
      </div>
      <p className="text-sm text-soft">
        {hasLibrary === true
          ? 'The studio keeps them: all who use it see and change this list.'
          : 'They are kept in this browser until you remove them.'}
      </p>
      {problem !== null && (
        <p role="alert" className="rounded-md bg-warning-soft px-3 py-1.5 text-sm text-warning">
          {left > 0 ? `${formatCounted(left, 'example')} only in this browser. ` : ''}
          {problem}
        </p>
      )}
      <ol aria-label="Training examples" className="-mx-2 flex flex-col">
        {rows.slice(0, MAX_LISTED).map((row, index) => {
          const { asked, answered, count } = toRowOutline(row.line);
          return (
            <li key={row.id} className="flex items-center gap-2 rounded-md px-2 py-1 hover:bg-raised">
              <span className="w-7 shrink-0 text-right text-sm text-faint tabular-nums">{index + 1}</span>
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="truncate">{asked}</span>
                <span className="truncate text-sm text-soft">
                  {[answered, `${count} messages`, row.item ? toBy(row.item.updated_by) : '']
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <CopyButton label={`Copy example ${index + 1}`} text={row.line} />
              <IconButton
                label={`Remove example ${index + 1}`}
                disabledReason={row.item ? readOnlyReason : null}
                icon={<Trash2 aria-hidden size={13} />}
                onClick={() => void removeTrainingRows([row], 'Training example removed')}
              />
            </li>
          );
        })}
      </ol>
      {rows.length > MAX_LISTED && (
        <p className="text-sm text-soft">The first {MAX_LISTED} are listed; copying and downloading take all.</p>
      )}
    </div>
  );
}
