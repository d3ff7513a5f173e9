import { useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState, type DragEvent } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { examplesQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { CellDialog } from './CellDialog.tsx';
import { ChecksEditor } from './ChecksEditor.tsx';
import { followPanes, type Ask } from './gridActions.ts';
import { countAnswers } from '#features/evaluation/web/cells/gridBook.ts';
import { findFilter, toFilterKey, toFilterLabel } from '#features/evaluation/web/cells/rowFilter.ts';
import { chooseColumns, findOfferProblems, type ColumnOffer } from '#features/evaluation/web/cells/sampling.ts';
import { ForeignNotice } from './ForeignNotice.tsx';
import { GridFilters } from './GridFilters.tsx';
import { GridNotices } from './GridNotices.tsx';
import { openGridSaver } from './gridSaver.ts';
import { isSameColumns, isSameRequests, findAllPrompts } from '#features/evaluation/web/cells/gridSetup.ts';
import { readBook, readTally, setView, useGrid } from './gridStore.ts';
import { GridTable } from './GridTable.tsx';
import { GridTitle } from './GridTitle.tsx';
import { GridToolbar } from './GridToolbar.tsx';
import { HeldOutButtons } from './HeldOutButtons.tsx';
import { PromptField } from './PromptField.tsx';
import { RowDialog } from './RowDialog.tsx';
import { RowsDialog } from './RowsDialog.tsx';
import { readRowFile, type RowFile } from '#features/evaluation/web/cells/rowFile.ts';
import { RunBar } from './RunBar.tsx';
import { SentDialog } from './SentDialog.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { useGridAddress } from './useGridAddress.ts';
import { useHeldOut } from './useHeldOut.ts';

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
      read.ok ? setOpen({ kind: 'rows', file: read.file }) : showToast(read.message, { tone: 'bad', kind: 'row-file' }),
    );
  };
  if (loadProblem !== null) return <output className="flex-1 p-4 text-wait">{loadProblem}</output>;
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
