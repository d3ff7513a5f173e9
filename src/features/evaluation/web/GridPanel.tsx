import { Table2, TriangleAlert } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState, type DragEvent } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ChecksEditor } from './ChecksEditor.tsx';
import { type Ask, setPrompt } from './gridActions.ts';
import type { GridColumn } from '#features/evaluation/web/grid/gridBook.ts';
import { GridDialog } from './GridDialog.tsx';
import type { OpenedDialog } from './openedDialog.ts';
import { toFilterLabel } from '#features/evaluation/web/grid/rowFilter.ts';
import { findOfferProblems, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { GridFilters } from './GridFilters.tsx';
import { GridNotices } from './GridNotices.tsx';
import { openGridSaver } from './gridSaver.ts';
import { textVariables } from '#features/evaluation/web/grid/gridSetup.ts';
import { readTally, setView, useGrid } from './gridStore.ts';
import { GridTable } from './GridTable.tsx';
import { GridTitle } from './GridTitle.tsx';
import { GridToolbar } from './GridToolbar.tsx';
import { HeldOutButtons } from './HeldOutButtons.tsx';
import { readRowFile } from '#features/evaluation/web/grid/rowFile.ts';
import { RunBar } from './RunBar.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { useGridAddress } from './useGridAddress.ts';
import { useGridView } from './useGridView.ts';
import { useHeldOut, type HeldOut } from './useHeldOut.ts';
import { usePaneColumns } from './usePaneColumns.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { useUrlState } from '#ui/address/urlState.ts';
import { openProjectGrid } from './gridList.ts';

/** The prompt of rows that bring variables. It commits on blur, because answers depend on it. */
function PromptField() {
  const { prompt, rows } = useGrid((state) => state.setup);
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
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
      <TextArea label="Prompt" rows={1} value={draft ?? prompt} readOnly={isBusy} onChange={setDraft} onBlur={commit} />
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

/** No row fits the filter and the search. */
function NoRow() {
  const { filter, query, names } = useGridView();
  const sought = useDeferredValue(query).trim();
  return (
    <EmptyState
      title="No rows to show"
      action={<Button onClick={() => setView({ filter: 'all', query: '' })}>Show all rows</Button>}
    >
      <p>
        No row matches “{toFilterLabel(filter, names)}”{sought === '' ? '' : ` and contains “${sought}”`}.
      </p>
    </EmptyState>
  );
}

interface EmptyGridProps {
  heldOut: HeldOut;
  onOpen: (open: OpenedDialog) => void;
}

/** What a grid is for, and the ways to its first rows. */
function EmptyGrid({ heldOut, onOpen }: EmptyGridProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={<Table2 aria-hidden size={28} />}
        title="Evaluate models on many prompts"
        action={
          <>
            <HeldOutButtons heldOut={heldOut} isPrimary />
            <Button
              variant={heldOut.sources.length > 0 ? 'default' : 'primary'}
              onClick={() => onOpen({ kind: 'rows', file: null })}
            >
              Import rows
            </Button>
            <Button onClick={() => onOpen({ kind: 'row', row: null })}>Add a row</Button>
          </>
        }
      >
        <p>
          Each row is a prompt. Each pane of the chat is a column. Take validation rows of a snapshot, import JSON,
          JSONL, CSV or plain lines, or drop a file here. Checks score answers to rows with expected answers.
        </p>
      </EmptyState>
    </div>
  );
}

interface FilledGridProps extends Pick<GridPanelProps, 'offers' | 'columnProblems' | 'ask'> {
  /** Visible rows, from 0. */
  rows: readonly number[];
  /** The panes' columns, if the grid keeps others; null if not. */
  otherColumns: readonly GridColumn[] | null;
  isChecksOpen: boolean;
  onOpen: (open: OpenedDialog) => void;
}

/** A grid with rows: its run, its filters, its prompt, what to know of it, and its table. */
function FilledGrid({ rows, offers, columnProblems, otherColumns, ask, isChecksOpen, onOpen }: FilledGridProps) {
  const setup = useGrid((state) => state.setup);
  const obstacle = setup.columns.length === 0 ? 'Choose a model in a pane of the chat first.' : null;
  return (
    <>
      {/* Above everything that comes and goes: a click on Run blurs the prompt, and must not move Run away. */}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-2">
        <RunBar ask={ask} disabledReason={obstacle} />
        <GridFilters />
      </div>
      <PromptField />
      {isChecksOpen && <ChecksEditor />}
      <GridNotices
        otherColumns={otherColumns}
        columnProblems={[
          ...(obstacle === null ? [] : [obstacle]),
          ...columnProblems,
          ...findOfferProblems(offers, setup),
        ]}
      />
      {rows.length === 0 ? (
        <NoRow />
      ) : (
        <GridTable
          rows={rows}
          offers={offers}
          onEdit={(row) => onOpen({ kind: 'row', row })}
          onOpen={(row, column) => onOpen({ kind: 'cell', row, column })}
          onSent={(column) => onOpen({ kind: 'sent', column })}
        />
      )}
    </>
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

/** Many prompts against several models: run, judge, compare, export. */
export function GridPanel({ project, offers, columnProblems, draft, ask }: GridPanelProps) {
  const isLoaded = useGrid((state) => state.isLoaded);
  const loadProblem = useGrid((state) => (state.isLoaded ? null : state.problem));
  const hasRows = useGrid((state) => state.setup.rows.length > 0);
  const isIdle = useGrid((state) => state.run.phase === 'idle');
  useGrid((state) => state.pulse);
  const [open, setOpen] = useState<OpenedDialog | null>(null);
  const [isChecksOpen, setChecksOpen] = useState(false);
  const { filter, query } = useGridView();
  const deferredQuery = useDeferredValue(query);
  const { columns, areOthers } = usePaneColumns(offers);
  const models = columns.map(({ request }) => request.model);
  // Free text has no check of equality: the editor says so, and what can be checked instead.
  const heldOut = useHeldOut(project, models, (isChecked) => setChecksOpen(!isChecked));
  useGridAddress(heldOut);
  useEffect(() => void openGridSaver(), []);
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
  const rows = readTally().findRows(filter, deferredQuery);
  return (
    <div className="flex min-h-0 flex-1 flex-col" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <div className="flex flex-wrap items-center gap-1.5 px-3 pt-2">
        <GridTitle />
        {hasRows && (
          <GridToolbar
            rows={rows}
            heldOut={heldOut}
            isChecksOpen={isChecksOpen}
            onChecks={setChecksOpen}
            onReadRows={() => setOpen({ kind: 'rows', file: null })}
            onAddRow={() => setOpen({ kind: 'row', row: null })}
          />
        )}
      </div>
      <ForeignNotice />
      {hasRows ? (
        <FilledGrid
          rows={rows}
          offers={offers}
          columnProblems={columnProblems}
          otherColumns={areOthers ? columns : null}
          ask={ask}
          isChecksOpen={isChecksOpen}
          onOpen={setOpen}
        />
      ) : (
        <EmptyGrid heldOut={heldOut} onOpen={setOpen} />
      )}
      <GridDialog open={open} onOpen={setOpen} rows={rows} heldOut={heldOut} model={models[0] ?? ''} draft={draft} />
    </div>
  );
}
