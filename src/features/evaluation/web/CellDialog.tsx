import { useState } from 'react';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { formatCount, formatDuration, formatCounted } from '#ui/kit/format.ts';
import { Select } from '#ui/fields/Select.tsx';
import { toCellLook } from '#features/evaluation/web/grid/cellLook.ts';
import { isEarlier, hasOnlyCalls, toAnswerText, toCallLines } from '#features/evaluation/web/grid/gridBook.ts';
import { toCellRequest } from '#features/evaluation/web/grid/gridRequest.ts';
import { readBook, readTally, useGrid } from './gridStore.ts';
import { toMessageText } from '#features/evaluation/web/grid/gridWords.ts';
import { toSettingParts } from '#features/evaluation/web/grid/sentSettings.ts';
import { countChanges } from '#core/differences/wordDiff.ts';
import { DiffText } from '#ui/kit/DiffText.tsx';
import { COARSE_DIFF, NO_DIFF, useTextDiff } from '#ui/differences/useTextDiff.ts';

interface AnswerDiffProps {
  /** The text that the answer is compared with. */
  before: string;
  after: string;
  className: string;
}

/**
 * An answer with its differences from another text. Shows the plain answer while the differences load, or if they fail.
 */
function AnswerDiff({ before, after, className }: AnswerDiffProps) {
  const found = useTextDiff(before, after);
  const problem = found && ('problem' in found ? found.problem : found.diff === null ? NO_DIFF : null);
  const diff = found && 'diff' in found ? found.diff : null;
  const counts = diff && diff.isExact ? countChanges(diff.parts) : null;
  const words =
    counts &&
    (before === after
      ? 'The same, word for word.'
      : `${formatCounted(counts.removed, 'word')} removed, ${formatCounted(counts.added, 'word')} added.`);
  return (
    <>
      <p className={`text-sm ${problem ? 'text-warning' : 'text-soft'}`}>
        {problem ?? words ?? (diff ? COARSE_DIFF : 'Comparing…')}
      </p>
      <div className={className}>{diff ? <DiffText parts={diff.parts} /> : after}</div>
    </>
  );
}

interface CellDialogProps {
  /** Visible rows, from 0. Previous and Next move among them. */
  rows: readonly number[];
  row: number;
  column: number;
  onMove: (row: number) => void;
  onClose: () => void;
}

const NO_COMPARISON = 'none';
const EXPECTED = 'expected';
const LABEL = 'text-sm font-semibold text-soft';
const TEXT = 'rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap';

/** One answer in full: the request, the answer, its verdict, and its differences from another text. */
export function CellDialog({ rows, row, column, onMove, onClose }: CellDialogProps) {
  const [wanted, setWanted] = useState<string>(NO_COMPARISON);
  const { columns, rows: allRows, prompt } = useGrid((state) => state.setup);
  useGrid((state) => state.pulse);
  const book = readBook();
  const entry = allRows[row];
  const shown = columns[column];
  const cell = book.cells[row * columns.length + column];
  const verdict = readTally().verdictOf(row * columns.length + column);
  const text = cell?.state === 'done' ? toAnswerText(cell.answer) : cell?.state === 'failed' ? cell.text : '';

  const textOf = (at: number): string | null => {
    const other = book.cells[row * columns.length + at];
    return other?.state === 'done' ? toAnswerText(other.answer) : null;
  };
  const markOf = (at: number): string => {
    const other = book.cells[row * columns.length + at];
    return other && isEarlier(other) ? ' (earlier prompt)' : '';
  };
  const others = columns.flatMap(({ name, label }, at) =>
    at !== column && textOf(at) !== null ? [{ value: String(at), label: `${name ?? label}${markOf(at)}` }] : [],
  );
  const options = [
    { value: NO_COMPARISON, label: 'nothing' },
    ...(isExpected(entry?.expected ?? null) ? [{ value: EXPECTED, label: 'the expected answer' }] : []),
    ...others,
  ];
  const chosen = options.some(({ value }) => value === wanted) ? wanted : NO_COMPARISON;
  const other =
    chosen === NO_COMPARISON ? null : chosen === EXPECTED ? (entry?.expected ?? null) : textOf(Number(chosen));

  if (!entry || !shown || !cell) return null;
  // An answer to an earlier prompt is shown with that prompt.
  const built = toCellRequest(shown, entry, isEarlier(cell) ? cell.earlier : prompt);
  const { word, Icon, tone } = toCellLook(cell, verdict);
  const settings = toSettingParts(built.ok ? built.request : shown.request);
  const place = rows.indexOf(row);
  const [before, after] = place < 0 ? [undefined, undefined] : [rows[place - 1], rows[place + 1]];
  const facts =
    cell.state === 'done'
      ? [
          formatDuration(cell.answer.ms),
          ...(cell.answer.completion_tokens === null ? [] : [`${formatCount(cell.answer.completion_tokens)} tokens`]),
          ...(cell.answer.finish_reason === null ? [] : [`finish_reason ${cell.answer.finish_reason}`]),
        ]
      : [];
  return (
    <Dialog isOpen onClose={onClose} title={`Row ${entry.number} · ${shown.name ?? shown.label}`}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <span className={`inline-flex items-center gap-1 font-medium ${tone}`}>
            <Icon aria-hidden size={14} /> {word}
          </span>
          <span className="text-soft">{facts.join(' · ')}</span>
          <span className="ml-auto flex gap-1.5">
            <Button
              size="small"
              onClick={() => before !== undefined && onMove(before)}
              disabledReason={before === undefined ? 'This is the first row shown.' : null}
            >
              Previous row
            </Button>
            <Button
              size="small"
              onClick={() => after !== undefined && onMove(after)}
              disabledReason={after === undefined ? 'This is the last row shown.' : null}
            >
              Next row
            </Button>
          </span>
        </div>
        {verdict?.state === 'pass' && verdict.note !== undefined && <p className="text-warning">{verdict.note}</p>}
        {verdict !== null && verdict.state !== 'pass' && (
          <p className={verdict.state === 'fail' ? 'text-error' : 'text-warning'}>{verdict.reason}</p>
        )}
        {isEarlier(cell) && (
          <p className="text-warning">
            This answer is for an earlier prompt, shown here. Pass rates do not count it. The next run replaces it.
          </p>
        )}
        {cell.state === 'failed' && <p className="text-error">{cell.message}</p>}
        <section aria-label="Messages" className="flex flex-col gap-1.5">
          {built.ok ? (
            built.request.messages.map(({ role, content, tool_calls = [] }, at) => (
              <div key={`${String(at)}-${role}`}>
                <h3 className={LABEL}>{role}</h3>
                <p className="whitespace-pre-wrap">{toMessageText(content, tool_calls)}</p>
              </div>
            ))
          ) : (
            <p className="text-warning">{built.message}</p>
          )}
          {settings.length > 0 && <p className="text-sm text-soft">Also sent: {settings.join(', ')}.</p>}
        </section>
        {(text !== '' || cell.state === 'done') && (
          <section aria-label="Answer" className="flex flex-col gap-1.5">
            <div className="flex items-center gap-2">
              <h3 className={LABEL}>{cell.state === 'failed' ? 'Text received before it broke off' : 'Answer'}</h3>
              <CopyButton text={text} label="Copy answer" />
              {options.length > 1 && (
                <span className="ml-auto">
                  <Select label="Compare with" value={chosen} options={options} onChange={setWanted} />
                </span>
              )}
            </div>
            {other === null ? (
              <div className={TEXT}>{text || <span className="text-faint">(empty answer)</span>}</div>
            ) : (
              <AnswerDiff before={other} after={text} className={TEXT} />
            )}
          </section>
        )}
        {cell.state === 'done' && cell.answer.toolCalls.length > 0 && !hasOnlyCalls(cell.answer) && (
          <section aria-label="Tool calls" className="flex flex-col gap-1.5">
            <h3 className={LABEL}>Tool calls</h3>
            <pre className={`${TEXT} font-mono text-sm`}>{toCallLines(cell.answer).join('\n')}</pre>
          </section>
        )}
        {isExpected(entry.expected) && chosen !== EXPECTED && (
          <section aria-label="Expected answer" className="flex flex-col gap-1.5">
            <h3 className={LABEL}>Expected</h3>
            <div className={TEXT}>{entry.expected}</div>
          </section>
        )}
      </div>
    </Dialog>
  );
}
