import { useQuery } from '@tanstack/react-query';
import { Table2, TriangleAlert } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState, type DragEvent } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { examplesQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { CellDialog } from './CellDialog.tsx';
import { ChecksEditor } from './ChecksEditor.tsx';
import { followPanes, type Ask, setPrompt } from './gridActions.ts';
import { countAnswers, type GridColumn } from '#features/evaluation/web/grid/gridBook.ts';
import { findFilter, toFilterKey, toFilterLabel } from '#features/evaluation/web/grid/rowFilter.ts';
import { chooseColumns, findOfferProblems, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { GridFilters } from './GridFilters.tsx';
import { GridNotices } from './GridNotices.tsx';
import { openGridSaver } from './gridSaver.ts';
import {
  isSameColumns,
  isSameRequests,
  findAllPrompts,
  textVariables,
} from '#features/evaluation/web/grid/gridSetup.ts';
import { readBook, readTally, setView, useGrid } from './gridStore.ts';
import { GridTable } from './GridTable.tsx';
import { GridTitle } from './GridTitle.tsx';
import { GridToolbar } from './GridToolbar.tsx';
import { HeldOutButtons } from './HeldOutButtons.tsx';
import { RowDialog } from './RowDialog.tsx';
import { RowsDialog } from './RowsDialog.tsx';
import { readRowFile, type RowFile } from '#features/evaluation/web/grid/rowFile.ts';
import { RunBar } from './RunBar.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { useGridAddress } from './useGridAddress.ts';
import { useHeldOut } from './useHeldOut.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { useUrlState } from '#ui/address/urlState.ts';
import { openProjectGrid } from './gridList.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { systemOf, toSentJson } from '#features/evaluation/web/grid/sentSettings.ts';

interface PromptFieldProps {
  isReadOnly: boolean;
}

/** The prompt of rows that bring variables. It commits on blur, because answers depend on it. */
function PromptField({ isReadOnly }: PromptFieldProps) {
  const { prompt, rows } = useGrid((state) => state.setup);
  const [draft, setDraft] = useState<string | null>(null);
  // Memoized: the grid renders at every answer, and the search reads all rows.
  const areChats = useMemo(() => rows.every((row) => row.messages !== null), [rows]);
  const names = useMemo(() => textVariables(rows), [rows]);
  if (areChats) return null;
  const unused = names.filter((name) => !prompt.includes(`{{${name}}}`));
  const commit = () => {
    if (draft !== null && draft !== prompt) setPrompt(draft);
    setDraft(null);
  };
  return (
    <div className="px-3 pb-2">
      <TextArea
        label="Prompt"
        rows={1}
        value={draft ?? prompt}
        readOnly={isReadOnly}
        onChange={setDraft}
        onBlur={commit}
      />
      {unused.length > 0 && (
        <p className="truncate pt-0.5 text-xs text-soft">Not used: {unused.map((name) => `{{${name}}}`).join(' ')}</p>
      )}
    </div>
  );
}

/** Says that the open grid belongs to another project. */
function ForeignNotice() {
  const { project } = useUrlState();
  const ownProject = useGrid((state) => state.storedAs.project);
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  if (ownProject === null || project === null || ownProject === project) return null;
  const toOwn = () =>
    void openProjectGrid(project).then((reason) => reason !== null && showToast(reason, { tone: 'error' }));
  return (
    <output className="mt-2 flex items-center gap-2 border-t border-line bg-warning-soft px-3 py-1 text-sm text-warning">
      <TriangleAlert aria-hidden size={14} className="shrink-0" />
      <p className="min-w-0 flex-1">This grid belongs to another project.</p>
      <Button size="small" onClick={toOwn} disabledReason={isBusy ? 'Pause the run first.' : null}>
        Open a grid of this project
      </Button>
    </output>
  );
}

interface SentDialogProps {
  column: GridColumn;
  onClose: () => void;
}

const LABEL = 'text-sm font-semibold text-soft';
const TEXT = 'rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap';

/** Everything that a column sends besides the prompts, which is what its pass rate measures. */
function SentDialog({ column: { name, label, request, sampling }, onClose }: SentDialogProps) {
  const system = systemOf(request);
  const json = toSentJson(request);
  return (
    <Dialog isOpen onClose={onClose} title={`Sent by ${name ?? label}`}>
      <div className="flex flex-col gap-3">
        <p className="text-soft">
          {sampling === 'neutral'
            ? 'Every row is sent at temperature 0, with its own system message and tools. Nothing that is set in the chat is ' +
              'sent.'
            : 'Every row is sent with these settings. They come from the pane in the chat. A row with its own system ' +
              'message or tools sends those instead.'}
        </p>
        {name !== undefined && (
          <p className="text-soft">
            Exports call this column <span className="font-mono text-sm text-ink">{label}</span>.
          </p>
        )}
        <section aria-label="System prompt" className="flex flex-col gap-1.5">
          <h3 className={LABEL}>System prompt</h3>
          {system.trim() === '' ? <p className="text-faint">none</p> : <div className={TEXT}>{system}</div>}
        </section>
        <section aria-label="Request without messages" className="flex flex-col gap-1.5">
          <div className="flex items-center gap-2">
            <h3 className={LABEL}>Model, parameters and tools</h3>
            <CopyButton text={json} label="Copy JSON" />
          </div>
          <pre className={`${TEXT} font-mono text-sm`}>{json}</pre>
        </section>
      </div>
    </Dialog>
  );
}

interface GridPanelProps {
  project: TreeNode | null;
  /** One per pane with a model. */
  offers: readonly ColumnOffer[];
  /** Why some panes have no column. */
  columnProblems: readonly string[];
  /** Text of the composer. */
  draft: string;
  ask: Ask;
}

type Open =
  | { readonly kind: 'rows'; readonly file: RowFile | null }
  | { readonly kind: 'row'; readonly row: number | null }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }
  | { readonly kind: 'sent'; readonly column: number };

/** Many prompts against several models: run, judge, compare, export. */
export function GridPanel({ project, offers, columnProblems, draft, ask }: GridPanelProps) {
  const isLoaded = useGrid((state) => state.isLoaded);
  const loadProblem = useGrid((state) => (state.isLoaded ? null : state.problem));
  const setup = useGrid((state) => state.setup);
  const columns = useMemo(() => chooseColumns(offers, setup), [offers, setup]);
  const hasChecks = useGrid((state) => state.checks.length > 0);
  const isIdle = useGrid((state) => state.run.phase === 'idle');
  useGrid((state) => state.pulse);
  const [open, setOpen] = useState<Open | null>(null);
  const [isChecksOpen, setChecksOpen] = useState(false);
  const { filter: filterKey, query, referenceId } = useGrid((state) => state.view);
  const deferredQuery = useDeferredValue(query);
  const models = columns.map(({ request }) => request.model);
  const model = models[0] ?? '';
  // Free text has no check of equality: the editor says so, and what can be checked instead.
  const heldOut = useHeldOut(project, models, (isChecked) => setChecksOpen(!isChecked));
  useGridAddress(heldOut);
  const examples = useQuery(examplesQuery(model)).data ?? null;

  useEffect(() => void openGridSaver(), []);
  const { counts } = readBook();
  const differsFromPanes = isLoaded && columns.length > 0 && !isSameColumns(setup.columns, columns);
  const keepsAnswers = countAnswers(counts) === 0 || isSameRequests(setup.columns, columns, findAllPrompts(readBook()));
  const canFollow = isIdle && keepsAnswers;
  // The grid follows the panes as long as no answer is lost. Otherwise a notice says that they differ.
  useEffect(() => {
    if (differsFromPanes && canFollow) followPanes(columns);
  }, [differsFromPanes, canFollow, columns]);

  const onDrop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file || !isIdle) return;
    event.preventDefault();
    void readRowFile(file).then((read) =>
      read.ok
        ? setOpen({ kind: 'rows', file: read.file })
        : showToast(read.message, { tone: 'error', kind: 'row-file' }),
    );
  };
  if (loadProblem !== null) return <output className="flex-1 p-4 text-warning">{loadProblem}</output>;
  if (!isLoaded) return <Skeleton className="flex-1 p-4" rows={5} />;
  const filter = findFilter(filterKey, setup.columns);
  const rows = readTally().findRows(filter, deferredQuery);
  const reference = Math.max(
    0,
    setup.columns.findIndex(({ id }) => id === referenceId),
  );
  const names = setup.columns.map(({ name, label }) => name ?? label);
  const readRows = () => setOpen({ kind: 'rows', file: null });
  const addRow = () => setOpen({ kind: 'row', row: null });
  const obstacle = setup.columns.length === 0 ? 'Choose a model in a pane of the chat first.' : null;
  const sent = open?.kind === 'sent' ? setup.columns[open.column] : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <div className="flex flex-wrap items-center gap-1.5 px-3 pt-2">
        <GridTitle />
        {setup.rows.length > 0 && (
          <GridToolbar
            rows={rows}
            heldOut={heldOut}
            isChecksOpen={isChecksOpen}
            onChecks={setChecksOpen}
            onReadRows={readRows}
            onAddRow={addRow}
          />
        )}
      </div>
      <ForeignNotice />
      {setup.rows.length === 0 ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <EmptyState
            icon={<Table2 aria-hidden size={28} />}
            title="Evaluate models on many prompts"
            action={
              <>
                <HeldOutButtons heldOut={heldOut} isPrimary />
                <Button variant={heldOut.sources.length > 0 ? 'default' : 'primary'} onClick={readRows}>
                  Import rows
                </Button>
                <Button onClick={addRow}>Add a row</Button>
              </>
            }
          >
            <p>
              Each row is a prompt. Each pane of the chat is a column. Take validation rows of a snapshot, import JSON,
              JSONL, CSV or plain lines, or drop a file here. Checks score answers to rows with expected answers.
            </p>
          </EmptyState>
        </div>
      ) : (
        <>
          {/* Above everything that comes and goes: a click on Run blurs the prompt, and must not move Run away. */}
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-2">
            <RunBar ask={ask} disabledReason={obstacle} />
            <GridFilters
              value={filter}
              onChange={(next) => setView({ filter: toFilterKey(next, setup.columns) })}
              hasChecks={hasChecks}
              query={query}
              onQuery={(next) => setView({ query: next })}
              columns={names}
              reference={reference}
              onReference={(column) => setView({ referenceId: setup.columns[column]?.id ?? null })}
            />
          </div>
          <PromptField isReadOnly={!isIdle} />
          {isChecksOpen && <ChecksEditor />}
          <GridNotices
            otherColumns={differsFromPanes && !keepsAnswers ? columns : null}
            columnProblems={[
              ...(obstacle === null ? [] : [obstacle]),
              ...columnProblems,
              ...findOfferProblems(offers, setup),
            ]}
          />
          {rows.length === 0 ? (
            <EmptyState
              title="No rows to show"
              action={<Button onClick={() => setView({ filter: 'all', query: '' })}>Show all rows</Button>}
            >
              <p>
                No row matches “{toFilterLabel(filter, names)}”
                {deferredQuery.trim() === '' ? '' : ` and contains “${deferredQuery.trim()}”`}.
              </p>
            </EmptyState>
          ) : (
            <GridTable
              rows={rows}
              reference={reference}
              filter={filter}
              offers={offers}
              onEdit={(row) => setOpen({ kind: 'row', row })}
              onOpen={(row, column) => setOpen({ kind: 'cell', row, column })}
              onSent={(column) => setOpen({ kind: 'sent', column })}
            />
          )}
        </>
      )}
      {sent && <SentDialog column={sent} onClose={() => setOpen(null)} />}
      {open?.kind === 'rows' && (
        <RowsDialog
          file={open.file}
          examples={examples && examples.prompts.length > 0 ? examples : null}
          heldOut={heldOut}
          draft={draft}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'row' && (
        <RowDialog
          key={open.row}
          row={open.row}
          disabledReason={isIdle ? null : 'Pause the run first.'}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'cell' && (
        <CellDialog
          rows={rows}
          row={open.row}
          column={open.column}
          onMove={(row) => setOpen({ ...open, row })}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
