import { useState } from 'react';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import { Select } from '#ui/fields/Select.tsx';
import { toCellLook } from '#features/evaluation/web/grid/cellLook.ts';
import {
  hasOnlyCalls,
  isEarlier,
  isSettled,
  toAnswerText,
  toCallLines,
  type CellAnswer,
  type CellVerdict,
  type GridBook,
  type GridCell,
  type GridColumn,
  type SettledCell,
} from '#features/evaluation/web/grid/gridBook.ts';
import { toCellRequest } from '#features/evaluation/web/grid/gridRequest.ts';
import { AnswerDiff } from './AnswerDiff.tsx';
import { readBook, readTally, useGrid } from './gridStore.ts';
import { toMessageText } from '#features/evaluation/web/grid/gridWords.ts';
import { toSettingParts } from '#features/evaluation/web/grid/sentSettings.ts';

const LABEL = 'text-sm font-semibold text-soft';
const TEXT = 'rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap';

interface RowStepsProps {
  /** Visible rows, from 0. */
  rows: readonly number[];
  row: number;
  onMove: (row: number) => void;
}

/** The ways to the rows shown before and after this one. */
function RowSteps({ rows, row, onMove }: RowStepsProps) {
  const place = rows.indexOf(row);
  const [before, after] = place < 0 ? [undefined, undefined] : [rows[place - 1], rows[place + 1]];
  return (
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
  );
}

interface CellNotesProps {
  cell: GridCell;
  verdict: CellVerdict;
}

/** Why an answer did not pass, does not count, or is missing. */
function CellNotes({ cell, verdict }: CellNotesProps) {
  return (
    <>
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
    </>
  );
}

interface SentMessagesProps {
  column: GridColumn;
  row: PromptRow;
  prompt: string;
}

/** The request of a cell. */
function SentMessages({ column, row, prompt }: SentMessagesProps) {
  const built = toCellRequest(column, row, prompt);
  const settings = toSettingParts(built.ok ? built.request : column.request);
  return (
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
  );
}

/** A text to compare an answer with. */
interface OtherText {
  readonly value: string;
  readonly label: string;
  /** null: nothing is compared. */
  readonly text: string | null;
}

const NOTHING: OtherText = { value: 'none', label: 'nothing', text: null };
const EXPECTED = 'expected';

/** Nothing, the expected answer if there is one, and the answers of the other columns. */
function findOtherTexts({ setup: { rows, columns }, cells }: GridBook, row: number, column: number): OtherText[] {
  const expected = rows[row]?.expected ?? null;
  return [
    NOTHING,
    ...(isExpected(expected) ? [{ value: EXPECTED, label: 'the expected answer', text: expected }] : []),
    ...columns.flatMap(({ name, label }, at) => {
      const cell = cells[row * columns.length + at];
      if (at === column || cell?.state !== 'done') return [];
      const mark = isEarlier(cell) ? ' (earlier prompt)' : '';
      return [{ value: String(at), label: `${name ?? label}${mark}`, text: toAnswerText(cell.answer) }];
    }),
  ];
}

interface AnswerSectionProps {
  cell: SettledCell;
  others: readonly OtherText[];
  compared: OtherText;
  onCompare: (value: string) => void;
}

/** The answer, or the part of it that arrived, with its differences from another text. */
function AnswerSection({ cell, others, compared, onCompare }: AnswerSectionProps) {
  const text = cell.state === 'done' ? toAnswerText(cell.answer) : cell.text;
  if (text === '' && cell.state === 'failed') return null;
  return (
    <section aria-label="Answer" className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <h3 className={LABEL}>{cell.state === 'failed' ? 'Text received before it broke off' : 'Answer'}</h3>
        <CopyButton text={text} label="Copy answer" />
        {others.length > 1 && (
          <span className="ml-auto">
            <Select label="Compare with" value={compared.value} options={others} onChange={onCompare} />
          </span>
        )}
      </div>
      {compared.text === null ? (
        <div className={TEXT}>{text || <span className="text-faint">(empty answer)</span>}</div>
      ) : (
        <AnswerDiff before={compared.text} after={text} className={TEXT} />
      )}
    </section>
  );
}

const toFacts = ({ ms, completion_tokens: tokens, finish_reason: reason }: CellAnswer): readonly string[] => [
  formatDuration(ms),
  ...(tokens === null ? [] : [`${formatCount(tokens)} tokens`]),
  ...(reason === null ? [] : [`finish_reason ${reason}`]),
];

interface CellDialogProps {
  /** Visible rows, from 0. Previous and Next move among them. */
  rows: readonly number[];
  row: number;
  column: number;
  onMove: (row: number) => void;
  onClose: () => void;
}

/** One answer in full: the request, the answer, its verdict, and its differences from another text. */
export function CellDialog({ rows, row, column, onMove, onClose }: CellDialogProps) {
  const [wanted, setWanted] = useState(NOTHING.value);
  const { columns, rows: allRows, prompt } = useGrid((state) => state.setup);
  useGrid((state) => state.pulse);
  const book = readBook();
  const at = row * columns.length + column;
  const entry = allRows[row];
  const shown = columns[column];
  const cell = book.cells[at];
  if (!entry || !shown || !cell) return null;
  const verdict = readTally().verdictOf(at);
  const { word, Icon, tone } = toCellLook(cell, verdict);
  const others = findOtherTexts(book, row, column);
  const compared = others.find(({ value }) => value === wanted) ?? NOTHING;
  return (
    <Dialog isOpen onClose={onClose} title={`Row ${entry.number} · ${shown.name ?? shown.label}`}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <span className={`inline-flex items-center gap-1 font-medium ${tone}`}>
            <Icon aria-hidden size={14} /> {word}
          </span>
          <span className="text-soft">{cell.state === 'done' && toFacts(cell.answer).join(' · ')}</span>
          <RowSteps rows={rows} row={row} onMove={onMove} />
        </div>
        <CellNotes cell={cell} verdict={verdict} />
        {/* An answer to an earlier prompt is shown with that prompt. */}
        <SentMessages column={shown} row={entry} prompt={isEarlier(cell) ? cell.earlier : prompt} />
        {isSettled(cell) && <AnswerSection cell={cell} others={others} compared={compared} onCompare={setWanted} />}
        {cell.state === 'done' && cell.answer.toolCalls.length > 0 && !hasOnlyCalls(cell.answer) && (
          <section aria-label="Tool calls" className="flex flex-col gap-1.5">
            <h3 className={LABEL}>Tool calls</h3>
            <pre className={`${TEXT} font-mono text-sm`}>{toCallLines(cell.answer).join('\n')}</pre>
          </section>
        )}
        {isExpected(entry.expected) && compared.value !== EXPECTED && (
          <section aria-label="Expected answer" className="flex flex-col gap-1.5">
            <h3 className={LABEL}>Expected</h3>
            <div className={TEXT}>{entry.expected}</div>
          </section>
        )}
      </div>
    </Dialog>
  );
}
