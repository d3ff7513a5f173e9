import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import type { Finding, FindingList, RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { addRow, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { isByFinding, readPositions, refreshRows, type RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { toErrorWords } from '#ui/client/failure.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { CompareAnswers } from './CompareAnswers.tsx';
import { EditForm } from './EditForm.tsx';
import { cleanRows, setAside, type RowChanges } from './rowEditActions.ts';
import { isFiltered, toAsideText, toSelectAllText } from './rowFilter.ts';
import { TagForm } from './TagForm.tsx';
import type { Rows } from './useRows.ts';
import type { Selection } from './useSelection.ts';

const EMPTY_ROW: JsonObject = {
  messages: [
    { role: 'user', content: '' },
    { role: 'assistant', content: '' },
  ],
};

/** Adds one row to a dataset: written as JSON, and checked before it is sent. */
function AddRow({ datasetId }: { datasetId: string }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const save = async (row: JsonObject): Promise<boolean> => {
    setError(null);
    try {
      await addRow(datasetId, row);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      return false;
    }
    showToast(
      'Added the row, as the last one. Snapshots that are there stay as they are: make a new one to train on it.',
    );
    await Promise.all([refreshRows(client, { kind: 'dataset', id: datasetId }), refreshTrees(client)]);
    return true;
  };
  return (
    <>
      <ChangeButton onClick={() => setOpen(true)}>Add a row</ChangeButton>
      {isOpen && (
        <Dialog title="Add a row" isOpen onClose={close}>
          {error && <ErrorNotice title="The row was not added" {...toErrorWords(error)} />}
          <EditForm datasetId={datasetId} position={null} row={EMPTY_ROW} onSave={save} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

/** The rows of each question with several answers, of a finding; of those against a majority with the majority. */
function toCompared(finding: Finding | undefined, all: readonly Finding[]): readonly (readonly number[])[] {
  if (finding?.kind === 'contradiction' || finding?.kind === 'several-answers') return finding.groups;
  if (finding?.kind !== 'outvoted') return [];
  const outvoted = new Set(finding.groups.flat());
  const groups = all.find(({ kind }) => kind === 'contradiction')?.groups ?? [];
  return groups.filter((group) => group.some((position) => outvoted.has(position)));
}

interface CompareProps {
  datasetId: string;
  /** Positions of rows that ask the same. */
  groups: readonly (readonly number[])[];
}

/** Compares the answers of rows that ask the same. It stays open when they are found no more. */
function Compare({ datasetId, groups }: CompareProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {groups.length > 0 && <Button onClick={() => setOpen(true)}>Compare the answers</Button>}
      {isOpen && <CompareAnswers datasetId={datasetId} groups={groups} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ChosenActionsProps {
  target: RowChanges;
  positions: readonly number[];
  onClear: () => void;
}

function ChosenActions({ target, positions, onClear }: ChosenActionsProps) {
  return (
    <>
      <ChangeButton onClick={() => void setAside(target, positions, true)}>
        Set {formatCount(positions.length)} aside
      </ChangeButton>
      <ChangeButton onClick={() => void setAside(target, positions, false)}>Put back</ChangeButton>
      <TagForm label="Tag for the chosen rows" target={target} positions={positions} />
      <Button variant="quiet" onClick={onClear}>
        Select none
      </Button>
    </>
  );
}

interface RowActionsProps {
  /** A dataset. */
  of: RowsOf;
  filter: RowFilter;
  rows: Rows;
  selection: Selection;
  /** undefined: not known yet. */
  found: FindingList | undefined;
}

/** What can be done with the rows of a dataset: with those that are chosen, or else with what the filter finds. */
export function RowActions({ of, filter, rows, selection, found }: RowActionsProps) {
  const client = useQueryClient();
  const target = { client, datasetId: of.id };
  const positions = [...selection.selected].sort((a, b) => a - b);
  if (positions.length > 0) return <ChosenActions target={target} positions={positions} onClear={selection.clear} />;
  const finding = found?.findings.find(({ kind }) => kind === filter.finding);
  const isChecking = isByFinding(filter) && found?.state !== 'done';
  const waiting = isChecking ? 'The rows are being checked.' : selection.isReading ? 'The rows are being read.' : null;
  const clean = async () => cleanRows(target, await readPositions(of, filter, DATA_LIMITS.marks));
  return (
    <>
      {finding && finding.removable.length > 0 && (
        <ChangeButton
          title={
            finding.removable.length < finding.count
              ? `One row of each group stays. At most ${formatCount(DATA_LIMITS.marks)} rows are marked at a time.`
              : 'One row of each group stays.'
          }
          onClick={() => void setAside(target, finding.removable, true)}
        >
          {toAsideText(finding.removable.length, finding.count)}
        </ChangeButton>
      )}
      <Compare datasetId={of.id} groups={toCompared(finding, found?.findings ?? [])} />
      {finding?.kind === 'null-arguments' && (
        <ChangeButton disabledReason={waiting} onClick={() => void clean()}>
          Remove these nulls
        </ChangeButton>
      )}
      {rows.count > 0 && isFiltered(filter) && (
        <Button disabledReason={waiting} onClick={selection.addAll}>
          {toSelectAllText(rows.found)}
        </Button>
      )}
      <AddRow datasetId={of.id} />
    </>
  );
}
