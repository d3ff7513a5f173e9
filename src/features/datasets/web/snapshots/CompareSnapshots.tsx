import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { toDataRefusal } from '#features/datasets/web/api/dataRefusal.ts';
import { comparisonQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { wholeRowQuery } from '#features/datasets/web/api/rowQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { RowChat } from '#features/datasets/web/row/RowChat.tsx';
import { toChat } from '#features/datasets/web/row/rowText.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { findDataset, findOther, findSnapshot, type DatasetNode } from './snapshotTree.ts';
import { useDatasets } from './useDatasets.ts';

/** A row of a snapshot that was asked for. */
function Row({ snapshot, position, label }: { snapshot: string; position: number; label: string }) {
  const { data, error } = useQuery(wholeRowQuery({ kind: 'snapshot', id: snapshot }, position));
  if (error) return <p className="text-error">{error.message}</p>;
  return data ? <RowChat row={toChat(data.row)} label={label} /> : <Skeleton rows={3} />;
}

/** One of the two rows of a changed pair, with the snapshot that has it. */
function Version({ of, position, label }: { of: TreeNode; position: number; label: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-sm text-soft">
        {label}: {nodeLabel(of)}, row {formatCount(position + 1)}
      </p>
      <Row snapshot={of.id} position={position} label={label} />
    </div>
  );
}

interface GroupProps {
  title: string;
  about: string;
  count: number;
  /** Each entry: the rows that are shown together. */
  entries: readonly { readonly position: number; readonly render: () => ReactNode }[];
}

const SHOWN = 50;

/** Rows of one kind of difference; each opens below the list. */
function Group({ title, about, count, entries }: GroupProps) {
  const [opened, setOpened] = useState<number | null>(null);
  const entry = entries.find(({ position }) => position === opened);
  return (
    <li className="border-b border-line py-2 last:border-b-0">
      <p>
        <span className="font-semibold tabular-nums">{formatCount(count)}</span> {title}{' '}
        <span className="text-sm text-soft">{about}</span>
      </p>
      {entries.length > 0 && (
        <MoreFigures title={count > entries.length ? `The first ${Math.min(SHOWN, entries.length)}` : 'Show them'}>
          <div className="flex max-h-24 flex-wrap gap-x-2 overflow-y-auto py-1" tabIndex={-1}>
            {entries.slice(0, SHOWN).map(({ position }) => (
              <button
                key={position}
                type="button"
                aria-pressed={position === opened}
                onClick={() => setOpened(position === opened ? null : position)}
                className={`min-h-6 text-accent hover:underline ${position === opened ? 'font-semibold' : ''}`}
              >
                Row {formatCount(position + 1)}
              </button>
            ))}
          </div>
          {entry && <div className="flex flex-col gap-2 py-1">{entry.render()}</div>}
        </MoreFigures>
      )}
    </li>
  );
}

function Differences({ snapshot, other }: { snapshot: TreeNode; other: TreeNode }) {
  const { data, error, refetch } = useQuery(comparisonQuery(snapshot.id, other.id));
  if (error)
    return <ErrorNotice title="They can’t be compared" {...toErrorWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={5} />;
  const toEntries = (positions: readonly number[], of: TreeNode) =>
    positions.map((position) => ({
      position,
      render: () => <Row snapshot={of.id} position={position} label={`Row of ${nodeLabel(of)}`} />,
    }));
  const { added, gone, changed, moved } = data;
  return (
    <>
      <p className="text-soft">{formatCounted(data.same_count, 'row')} in both.</p>
      <ul>
        <Group
          title="added"
          about={`only in ${nodeLabel(snapshot)}`}
          count={added.count}
          entries={toEntries(added.positions, snapshot)}
        />
        <Group
          title="gone"
          about={`only in ${nodeLabel(other)}`}
          count={gone.count}
          entries={toEntries(gone.positions, other)}
        />
        <Group
          title="changed"
          about="the same question with another answer"
          count={changed.count}
          entries={changed.pairs.map(([before, now]) => ({
            position: now,
            render: () => (
              <div className="grid gap-2 sm:grid-cols-2">
                <Version of={other} position={before} label="Before" />
                <Version of={snapshot} position={now} label="Now" />
              </div>
            ),
          }))}
        />
        <Group
          title="on the other side"
          about="training in one, validation in the other"
          count={moved.count}
          entries={toEntries(moved.positions, snapshot)}
        />
      </ul>
    </>
  );
}

function Choice({ dataset, selected }: { dataset: DatasetNode; selected: string | null }) {
  const [ownId, setOwn] = useState<string | null>(null);
  const [otherId, setOther] = useState<string | null>(null);
  const { snapshots } = dataset;
  const snapshot = findSnapshot(dataset, ownId ?? selected);
  const other =
    snapshot && (snapshots.find(({ id }) => id === otherId && id !== snapshot.id) ?? findOther(dataset, snapshot.id));
  if (!snapshot || !other)
    return <p>{nodeLabel(dataset.dataset)} has fewer than two snapshots. Make another one, then compare them.</p>;
  const options = snapshots.map((node) => ({ value: node.id, label: nodeLabel(node) }));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Select label="Snapshot" value={snapshot.id} options={options} onChange={setOwn} />
        <Select
          label="compared with"
          value={other.id}
          options={options.filter(({ value }) => value !== snapshot.id)}
          onChange={setOther}
        />
      </div>
      <Differences key={`${snapshot.id} ${other.id}`} snapshot={snapshot} other={other} />
    </div>
  );
}

interface CompareSnapshotsProps {
  onClose: () => void;
}

/** Which rows one snapshot of a dataset has that another one has not. */
export function CompareSnapshots({ onClose }: CompareSnapshotsProps) {
  const refusal = toDataRefusal(useQuery(sessionQuery()).data, 'Compare snapshots');
  const { datasets, selected } = useDatasets();
  const dataset =
    findDataset(datasets, selected) ?? datasets.find(({ snapshots }) => snapshots.length > 1) ?? datasets[0];
  return (
    <Dialog title="Compare snapshots" isOpen onClose={onClose}>
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : dataset ? (
        <Choice dataset={dataset} selected={selected} />
      ) : (
        <p>This project has no dataset yet.</p>
      )}
    </Dialog>
  );
}
