import { useMemo, useState, type DragEvent } from 'react';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import { type RowProblem, LINE_VARIABLE } from '#features/evaluation/shared/promptRow.ts';
import { EXPECTED_NAMES } from '#features/evaluation/shared/rowColumns.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { appendRows, replaceRows, withoutRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { changeSetup, countRemovedBy } from './gridActions.ts';
import { useGrid } from './gridStore.ts';
import { countTools, toQuestion, toRowsText } from '#features/evaluation/web/grid/gridWords.ts';
import { toImportedRows, type ColumnChoice, type ImportedRows } from '#features/evaluation/web/grid/importedRows.ts';
import { findTypedVariables, toTypedText } from '#features/evaluation/web/grid/typedVariables.ts';
import { HeldOutButtons } from './HeldOutButtons.tsx';
import type { RowFile } from '#features/evaluation/web/grid/rowFile.ts';
import { RowSourceField } from './RowSourceField.tsx';
import type { HeldOut } from './useHeldOut.ts';
import { useRowSource, type RowSource } from './useRowSource.ts';
import { formatCounted } from '#ui/kit/format.ts';

interface ReplaceDialogProps {
  /** Number of rows in the grid now. */
  rows: number;
  /** Number of answers that the replacement removes; null: the dialog is closed. */
  answers: number | null;
  onReplace: () => void;
  onClose: () => void;
}

/** Asks before new rows remove many answers. */
function ReplaceDialog({ rows, answers, onReplace, onClose }: ReplaceDialogProps) {
  const answersText = formatCounted(answers ?? 0, 'answer');
  return (
    <Dialog title={`Replace ${toRowsText(rows)}?`} isOpen={answers !== null} onClose={onClose}>
      <p className="mb-3 text-soft">
        This also removes {answersText}. You can undo it for some seconds. To keep the answers longer, export the grid
        first.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep the rows</Button>
        <Button variant="danger" onClick={onReplace}>
          Replace, and remove {answersText}
        </Button>
      </div>
    </Dialog>
  );
}

interface RowColumnsProps {
  imported: ImportedRows;
  onChoice: (choice: ColumnChoice) => void;
}

/** Values of columns have a prefix, so no column name equals this value. */
const NONE = 'none';
const toValue = (column: string | null): string => (column === null ? NONE : `=${column}`);
const MAX_TEMPLATE = 60;
function toTemplateName(text: string): string {
  if (text.trim() === '') return 'none yet';
  return text.length > MAX_TEMPLATE ? `template: ${text.slice(0, MAX_TEMPLATE)}…` : `template: ${text}`;
}

/** Selects for the column that is the prompt and the column that holds the expected answer. */
function RowColumns({ imported: { columns, expected, fitting, prompt }, onChoice }: RowColumnsProps) {
  const columnOptions = columns
    .filter((column) => column !== expected)
    .map((column) => ({ value: `{{${column}}}`, label: column }));
  const others = columnOptions.some(({ value }) => value === fitting)
    ? []
    : [{ value: fitting, label: toTemplateName(fitting) }];
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Prompt"
          value={prompt}
          onChange={(value) => onChoice({ prompt: value })}
          options={[...columnOptions, ...others]}
        />
        <Select
          label="Expected answer"
          value={toValue(expected)}
          onChange={(value) => onChoice({ expected: value === NONE ? null : value.slice(1) })}
          options={[
            { value: NONE, label: 'none' },
            ...columns.map((column) => ({ value: toValue(column), label: column })),
          ]}
        />
      </div>
      <p className="text-sm text-soft">
        The expected answer is read from a column with one of these names: {EXPECTED_NAMES.join(', ')}. The prompt is
        read from the column {LINE_VARIABLE}, or else from the first other column.
      </p>
    </div>
  );
}

interface ReadNoticesProps {
  source: RowSource;
  imported: ImportedRows;
}

const toPlaceText = ({ line, entry }: RowProblem): string =>
  entry !== undefined ? `Row ${entry}: ` : line > 0 ? `Line ${line}: ` : '';
const MAX_HEADER = 200;

/** What to know of the rows before they are used: their tools, their problems, how their header was read. */
function ReadNotices({ source: { file, format, read }, imported: { rows, prompt } }: ReadNoticesProps) {
  const tools = useMemo(() => countTools(rows, prompt), [rows, prompt]);
  const typedText = useMemo(() => toTypedText(findTypedVariables(rows, prompt)), [rows, prompt]);
  const header = format === null ? (read.header?.join(', ') ?? null) : null;
  return (
    <>
      {tools.own > 0 && (
        <p className="text-soft">
          {toRowsText(tools.own)} {tools.own === 1 ? 'has its' : 'have their'} own tools. These are sent instead of the
          tools of the pane.
        </p>
      )}
      {tools.unusable > 0 && (
        <p className="text-warning">
          {tools.reason} {tools.unusable > 1 && `${toRowsText(tools.unusable)} have tools with a problem.`} Rows with
          such tools can’t be sent.
        </p>
      )}
      {tools.lacking > 0 && (
        <p className="text-warning">
          {toRowsText(tools.lacking)} {tools.lacking === 1 ? 'calls tools but has' : 'call tools but have'} none. The
          tools of the pane are sent: check in the chat, under Parameters, that they are the right ones.
        </p>
      )}
      {typedText !== null && <p className="text-warning">{typedText}</p>}
      {file?.note && <p className="text-warning">{file.note}</p>}
      {read.problems.length > 0 && (
        <div className="rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning">
          <p className="font-semibold">These rows could not be read and are left out:</p>
          <ul>
            {read.problems.map((problem) => (
              <li key={`${toPlaceText(problem)}-${problem.message}`}>
                {toPlaceText(problem)}
                {problem.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {header !== null && (
        <p className="text-sm text-soft">
          The first line is the header: {header.length > MAX_HEADER ? `${header.slice(0, MAX_HEADER)}…` : header}. If it
          is a prompt, choose the format “one prompt per line”.
        </p>
      )}
    </>
  );
}

interface RowsDialogProps {
  /** A file that was dropped on the grid. */
  file: RowFile | null;
  /** Example prompts of the model's dataset; null: none are known. */
  examples: Examples | null;
  heldOut: HeldOut;
  /** Text of the composer. It becomes the prompt if the rows bring its variables. */
  draft: string;
  onClose: () => void;
}

/** Removing more answers than this needs a confirmation. */
const FEW_ANSWERS = 5;

/** Reads rows from a file or pasted text. Says what can't be read before anything changes. */
export function RowsDialog({ file: dropped, examples, heldOut, draft, onClose }: RowsDialogProps) {
  const setup = useGrid((state) => state.setup);
  const source = useRowSource(dropped);
  const [choice, setChoice] = useState<ColumnChoice>({});
  const [removedAnswers, setRemovedAnswers] = useState<number | null>(null);
  const { file, isBlank, read } = source;
  const imported = useMemo(
    () => toImportedRows(read.rows, choice, draft, setup.prompt),
    [read, choice, draft, setup.prompt],
  );
  const { rows, columns, prompt } = imported;
  const [first] = rows;
  const hasRows = setup.rows.length > 0;
  const append = (): void => {
    changeSetup(appendRows(setup, rows));
    onClose();
  };
  const replace = (): void => {
    changeSetup(
      { ...replaceRows(withoutRows(setup), rows), prompt, ...(file && { source: file.name }) },
      hasRows ? `${toRowsText(setup.rows.length)} replaced` : null,
    );
    onClose();
  };
  const askToReplace = (): void => {
    const answers = countRemovedBy(replaceRows(setup, rows));
    if (answers > FEW_ANSWERS) setRemovedAnswers(answers);
    else replace();
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    source.openFile(event.dataTransfer.files[0]);
  };
  const noRowReason = first ? null : 'No row was read yet.';
  return (
    <>
      <Dialog isOpen onClose={onClose} title="Import rows">
        <div className="flex flex-col gap-3" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
          {heldOut.sources.length > 0 && (
            <section aria-label="Validation rows" className="flex flex-col gap-1.5 border-b border-line pb-3">
              <h3 className="text-sm font-semibold text-soft">Validation rows of a snapshot</h3>
              <div className="flex flex-wrap gap-2">
                <HeldOutButtons heldOut={{ ...heldOut, take: (taken) => (heldOut.take(taken), onClose()) }} />
              </div>
            </section>
          )}
          <RowSourceField source={source} examples={examples} />
          {!isBlank && <ReadNotices source={source} imported={imported} />}
          {read.format !== 'lines' && columns.length > 0 && (
            <RowColumns imported={imported} onChoice={(next) => setChoice({ ...choice, ...next })} />
          )}
          {hasRows && columns.length > 0 && setup.prompt !== prompt && (
            <p className="text-sm text-soft">Added rows use the prompt of the grid: {setup.prompt.slice(0, 100)}</p>
          )}
          {first && (
            <p className="line-clamp-2 text-sm text-soft">
              First row: {toQuestion(first, prompt).slice(0, 300)}
              {isExpected(first.expected) ? ` → ${first.expected.slice(0, 100)}` : ''}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" onClick={askToReplace} disabledReason={noRowReason}>
              {hasRows ? `Replace ${toRowsText(setup.rows.length)}` : 'Use these rows'}
            </Button>
            {hasRows && (
              <Button onClick={append} disabledReason={noRowReason}>
                Append
              </Button>
            )}
          </div>
        </div>
      </Dialog>
      {/* Not inside the dialog: closing this one would close that one as well. */}
      <ReplaceDialog
        rows={setup.rows.length}
        answers={removedAnswers}
        onReplace={replace}
        onClose={() => setRemovedAnswers(null)}
      />
    </>
  );
}
