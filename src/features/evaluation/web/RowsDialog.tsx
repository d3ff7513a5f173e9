import { FileUp } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useState, type DragEvent } from 'react';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import { type RowFormat, type RowProblem, LINE_VARIABLE } from '#features/evaluation/shared/promptRow.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { guessFormat } from '#features/evaluation/shared/rowFormat.ts';
import {
  assignExpected,
  guessExpected,
  toColumnNames,
  EXPECTED_NAMES,
} from '#features/evaluation/shared/rowColumns.ts';
import { findVariables } from '#features/evaluation/shared/template.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { appendRows, replaceRows, toFittingPrompt, withoutRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { changeSetup, countRemovedBy } from './gridActions.ts';
import { useGrid } from './gridStore.ts';
import { countTools, toQuestion, toRowsText } from '#features/evaluation/web/grid/gridWords.ts';
import { findTypedVariables, toTypedText } from '#features/evaluation/web/grid/typedVariables.ts';
import { HeldOutButtons } from './HeldOutButtons.tsx';
import { readRowFile, type RowFile } from '#features/evaluation/web/grid/rowFile.ts';
import { ROW_SAMPLES, toExampleRows } from '#features/evaluation/web/grid/rowSamples.ts';
import type { HeldOut } from './useHeldOut.ts';
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
  columns: readonly string[];
  /** null: none. */
  expected: string | null;
  onExpected: (column: string | null) => void;
  prompt: string;
  /** The prompt that fits the rows: one column, or a text with several. */
  template: string;
  onPrompt: (prompt: string) => void;
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
function RowColumns({ columns, expected, onExpected, prompt, template, onPrompt }: RowColumnsProps) {
  const columnOptions = columns
    .filter((column) => column !== expected)
    .map((column) => ({ value: `{{${column}}}`, label: column }));
  const others = columnOptions.some(({ value }) => value === template)
    ? []
    : [{ value: template, label: toTemplateName(template) }];
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select label="Prompt" value={prompt} onChange={onPrompt} options={[...columnOptions, ...others]} />
        <Select
          label="Expected answer"
          value={toValue(expected)}
          onChange={(value) => onExpected(value === NONE ? null : value.slice(1))}
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

const AUTO = 'auto';
const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'jsonl', label: 'JSONL' },
  { value: 'csv', label: 'CSV' },
  { value: 'lines', label: 'one prompt per line' },
] as const;
const isFormat = (value: string): value is RowFormat => FORMATS.some((format) => format.value === value);

const toPlaceText = ({ line, entry }: RowProblem): string =>
  entry !== undefined ? `Row ${entry}: ` : line > 0 ? `Line ${line}: ` : '';
const MAX_HEADER = 200;
/** Removing more answers than this needs a confirmation. */
const FEW_ANSWERS = 5;

/** Reads rows from a file or pasted text. Says what can't be read before anything changes. */
export function RowsDialog({ file: dropped, examples, heldOut, draft, onClose }: RowsDialogProps) {
  const id = useId();
  const setup = useGrid((state) => state.setup);
  const [file, setFile] = useState(dropped);
  const [typed, setTyped] = useState('');
  const [choice, setChoice] = useState<string>(AUTO);
  const [problem, setProblem] = useState<string | null>(null);
  const [removedAnswers, setRemovedAnswers] = useState<number | null>(null);
  const text = useDeferredValue(file?.text ?? typed);
  const guessed = useMemo(() => guessFormat(text), [text]);
  const read = useMemo(() => parseRows(text, isFormat(choice) ? choice : guessed), [text, choice, guessed]);
  const names = useMemo(() => toColumnNames(read.rows), [read]);
  // A choice stays as long as the text has that column.
  const [expectedChoice, setExpectedChoice] = useState<string | null | undefined>(undefined);
  const [promptChoice, setPromptChoice] = useState<string | null>(null);
  const expected =
    expectedChoice === null || (expectedChoice !== undefined && names.includes(expectedChoice))
      ? expectedChoice
      : guessExpected(names, findVariables([draft, setup.prompt]));
  const rows = useMemo(
    () => (names.length === 0 ? read.rows : assignExpected(read.rows, expected)),
    [read, names, expected],
  );
  const fitting = toFittingPrompt(rows, draft);
  const prompt = names.some((name) => name !== expected && promptChoice === `{{${name}}}`)
    ? (promptChoice ?? fitting)
    : fitting;
  const tools = useMemo(() => countTools(rows, prompt), [rows, prompt]);
  const typedText = useMemo(() => toTypedText(findTypedVariables(rows, prompt)), [rows, prompt]);
  const hasRows = setup.rows.length > 0;

  const readFile = async (next: File | undefined): Promise<void> => {
    if (!next) return;
    const result = await readRowFile(next);
    setProblem(result.ok ? null : result.message);
    if (result.ok) setFile(result.file);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void readFile(event.dataTransfer.files[0]);
  };
  const apply = (isAppended: boolean): void => {
    const source = file?.name ?? '';
    changeSetup(
      isAppended && hasRows
        ? appendRows(setup, rows)
        : { ...replaceRows(withoutRows(setup), rows), prompt, ...(source !== '' && { source }) },
      isAppended || !hasRows ? null : `${toRowsText(setup.rows.length)} replaced`,
    );
    onClose();
  };
  const replace = (): void => {
    const answers = countRemovedBy(replaceRows(setup, rows));
    if (answers > FEW_ANSWERS) setRemovedAnswers(answers);
    else apply(false);
  };
  const noRowReason = rows.length === 0 ? 'No row was read yet.' : null;
  const first = rows[0];
  const header = choice === AUTO ? (read.header?.join(', ') ?? null) : null;
  const formatName = FORMATS.find(({ value }) => value === guessed)?.label ?? guessed;
  return (
    <>
      <Dialog isOpen onClose={onClose} title="Import rows">
        <div className="flex flex-col gap-3" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
          {heldOut.sources.length > 0 && (
            <section aria-label="Validation rows" className="flex flex-col gap-1.5 border-b border-line pb-3">
              <h3 className="text-sm font-semibold text-soft">Validation rows of a snapshot</h3>
              <div className="flex flex-wrap gap-2">
                <HeldOutButtons heldOut={{ ...heldOut, take: (source) => (heldOut.take(source), onClose()) }} />
              </div>
            </section>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <label
              className={
                'inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-md border border-line-strong bg-surface ' +
                'px-2.5 font-medium focus-within:outline-2 focus-within:outline-accent hover:bg-raised'
              }
            >
              <FileUp aria-hidden size={14} /> Choose a file
              <input
                type="file"
                accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt,text/*"
                className="sr-only"
                onChange={(event) => void readFile(event.target.files?.[0])}
              />
            </label>
            {examples !== null && (
              <Button
                onClick={() => (setFile(null), setTyped(toExampleRows(examples)), setChoice(AUTO))}
                title={examples.about}
              >
                Example prompts of the dataset
              </Button>
            )}
            <span className="text-soft">or drop one here, or paste below</span>
          </div>
          {problem !== null && (
            <p role="alert" className="text-error">
              {problem}
            </p>
          )}
          {file === null ? (
            <div className="flex flex-col gap-1">
              <label htmlFor={id} className="text-soft">
                Rows
              </label>
              <textarea
                id={id}
                rows={9}
                value={typed}
                spellCheck={false}
                onChange={(event) => setTyped(event.target.value)}
                className={
                  'w-full resize-y rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 font-mono text-sm ' +
                  'whitespace-pre hover:border-faint'
                }
              />
              {typed === '' && (
                <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
                  Fill in a sample:
                  {ROW_SAMPLES.map(({ label, text: sample }) => (
                    <button
                      key={label}
                      type="button"
                      className="min-h-6 rounded px-1 text-accent hover:underline"
                      onClick={() => setTyped(sample)}
                    >
                      {label}
                    </button>
                  ))}
                </p>
              )}
            </div>
          ) : (
            <p className="flex items-center gap-2">
              <span className="min-w-0 truncate font-medium">{file.name}</span>
              <Button size="small" variant="quiet" onClick={() => setFile(null)}>
                Use another
              </Button>
            </p>
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Select
              label="Format"
              value={choice}
              onChange={setChoice}
              options={[{ value: AUTO, label: text === '' ? 'automatic' : `automatic: ${formatName}` }, ...FORMATS]}
            />
            <output className="text-soft">{text.trim() === '' ? '' : `${toRowsText(read.rows.length)} read`}</output>
          </div>
          {tools.own > 0 && (
            <p className="text-soft">
              {toRowsText(tools.own)} {tools.own === 1 ? 'has its' : 'have their'} own tools. These are sent instead of
              the tools of the pane.
            </p>
          )}
          {tools.unusable > 0 && (
            <p className="text-warning">
              {tools.reason} {tools.unusable > 1 && `${toRowsText(tools.unusable)} have tools with a problem.`} Rows
              with such tools can’t be sent.
            </p>
          )}
          {tools.lacking > 0 && (
            <p className="text-warning">
              {toRowsText(tools.lacking)} {tools.lacking === 1 ? 'calls tools but has' : 'call tools but have'} none.
              The tools of the pane are sent: check in the chat, under Parameters, that they are the right ones.
            </p>
          )}
          {typedText !== null && <p className="text-warning">{typedText}</p>}
          {file?.note && <p className="text-warning">{file.note}</p>}
          {text.trim() !== '' && read.problems.length > 0 && (
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
              The first line is the header: {header.length > MAX_HEADER ? `${header.slice(0, MAX_HEADER)}…` : header}.
              If it is a prompt, choose the format “one prompt per line”.
            </p>
          )}
          {read.format !== 'lines' && names.length > 0 && (
            <RowColumns
              columns={names}
              expected={expected}
              onExpected={setExpectedChoice}
              prompt={prompt}
              template={fitting}
              onPrompt={setPromptChoice}
            />
          )}
          {hasRows && names.length > 0 && setup.prompt !== prompt && (
            <p className="text-sm text-soft">Added rows use the prompt of the grid: {setup.prompt.slice(0, 100)}</p>
          )}
          {first && (
            <p className="line-clamp-2 text-sm text-soft">
              First row: {toQuestion(first, prompt).slice(0, 300)}
              {isExpected(first.expected) ? ` → ${first.expected.slice(0, 100)}` : ''}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" onClick={replace} disabledReason={noRowReason}>
              {hasRows ? `Replace ${toRowsText(setup.rows.length)}` : 'Use these rows'}
            </Button>
            {hasRows && (
              <Button onClick={() => apply(true)} disabledReason={noRowReason}>
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
        onReplace={() => apply(false)}
        onClose={() => setRemovedAnswers(null)}
      />
    </>
  );
}
