import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { WholeRow } from '#features/datasets/shared/contract/rows.ts';
import { wholeRowQuery } from '#features/datasets/web/api/rowQueries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { toErrorWords } from '#ui/client/failure.ts';
import { RowChat } from '#features/datasets/web/row/RowChat.tsx';
import { toChat } from '#features/datasets/web/row/rowText.ts';
import { ModelViewOfRow } from '#features/datasets/web/modelView/ModelViewOfRow.tsx';
import { chooseSeen, useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Tabs } from '#ui/kit/Tabs.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { EditForm } from './EditForm.tsx';
import { toFindingTitle } from './rowFilter.ts';
import { rowDraft } from './rowDrafts.ts';
import { editRow, setAside, tagRows } from './rowEditActions.ts';
import { TagForm } from './TagForm.tsx';

interface RowDialogProps {
  of: RowsOf;
  position: number;
  /** Goes to the row before or after; null: there is none. */
  onBefore: (() => void) | null;
  onAfter: (() => void) | null;
  /** Shows another row. */
  onGo: (position: number) => void;
  onClose: () => void;
}

const MAX_OTHERS = 12;
const TABS = [
  { value: 'chat', label: 'Chat' },
  { value: 'seen', label: 'What the model sees' },
];

function RowFindings({ row, onGo }: { row: WholeRow; onGo: (position: number) => void }) {
  if (row.findings.length === 0) return null;
  return (
    <ul aria-label="Findings" className="flex flex-col gap-1 rounded-md bg-warning-soft px-2.5 py-1.5">
      {row.findings.map(({ kind, about, others }) => (
        <li key={kind}>
          <span className="font-medium">{toFindingTitle(kind)}.</span> {about}{' '}
          {others.slice(0, MAX_OTHERS).map((other) => (
            <button
              key={other}
              type="button"
              onClick={() => onGo(other)}
              className="mr-1.5 min-h-6 text-accent hover:underline"
            >
              Row {formatCount(other + 1)}
            </button>
          ))}
          {others.length > MAX_OTHERS && `and ${formatCount(others.length - MAX_OTHERS)} more`}
        </li>
      ))}
    </ul>
  );
}

interface RowToolsProps {
  row: WholeRow;
  datasetId: string;
}

/** What can be done with a row of a dataset. */
function RowTools({ row, datasetId }: RowToolsProps) {
  const client = useQueryClient();
  const target = { client, datasetId };
  const { position } = row;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <ChangeButton onClick={() => void setAside(target, [position], !row.is_set_aside)}>
        {row.is_set_aside ? 'Put back' : 'Set aside'}
      </ChangeButton>
      {row.before !== null && (
        <ChangeButton onClick={() => void editRow(target, position, null)}>As it was imported</ChangeButton>
      )}
      <TagForm label="New tag" target={target} positions={[position]} />
      {row.tags.map((name) => (
        <ChangeButton
          key={name}
          size="small"
          aria-label={`Remove the tag ${name}`}
          onClick={() => void tagRows(target, [position], name, false)}
        >
          {name} ×
        </ChangeButton>
      ))}
    </div>
  );
}

function RowBody({ of, row, onGo }: { of: RowsOf; row: WholeRow; onGo: (position: number) => void }) {
  const isOwn = of.kind === 'dataset';
  const { isSeen } = useSeenModel();
  // What was not saved is gone on with.
  const [isEditing, setEditing] = useState(() => isOwn && rowDraft(of.id, row.position).read() !== undefined);
  const client = useQueryClient();
  return (
    <>
      <RowFindings row={row} onGo={onGo} />
      {row.is_set_aside && <p className="text-warning">Set aside: new snapshots leave it out.</p>}
      {isEditing ? (
        <EditForm
          datasetId={of.id}
          position={row.position}
          row={row.row}
          onClose={() => setEditing(false)}
          onSave={(next) => editRow({ client, datasetId: of.id }, row.position, next)}
        />
      ) : (
        <>
          <Tabs
            label="The row"
            value={isSeen ? 'seen' : 'chat'}
            onChange={(tab) => chooseSeen({ isSeen: tab === 'seen' })}
            tabs={TABS}
          >
            <div className="pt-2.5">
              {isSeen ? (
                <ModelViewOfRow of={of} position={row.position} />
              ) : (
                <RowChat row={toChat(row.row)} label={`Row ${formatCount(row.position + 1)}`} />
              )}
            </div>
          </Tabs>
          {isOwn ? (
            <div className="flex flex-wrap items-end gap-2">
              <ChangeButton onClick={() => setEditing(true)}>Edit</ChangeButton>
              <RowTools row={row} datasetId={of.id} />
            </div>
          ) : (
            <p className="text-sm text-soft">A snapshot is frozen. Rows are set aside and edited in its dataset.</p>
          )}
        </>
      )}
      {row.before !== null && (
        <MoreFigures title="Before it was edited">
          <RowChat row={toChat(row.before)} label="Before it was edited" />
        </MoreFigures>
      )}
      {row.original !== null && (
        <MoreFigures title="Its line in the file">
          <div className="flex items-start gap-1">
            <pre className="max-h-60 min-w-0 flex-1 overflow-auto rounded-md border border-line p-2 font-mono text-sm break-all whitespace-pre-wrap">
              {row.original}
            </pre>
            <CopyButton label="Copy the line" text={row.original} />
          </div>
        </MoreFigures>
      )}
    </>
  );
}

/** One row: its chat, what was found, and what can be done with it. */
export function RowDialog({ of, position, onBefore, onAfter, onGo, onClose }: RowDialogProps) {
  const id = useId();
  const { data, error, refetch } = useQuery(wholeRowQuery(of, position));
  return (
    <Dialog title={`Row ${formatCount(position + 1)}`} isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
          <IconButton
            label="Row before"
            icon={<ChevronLeft aria-hidden size={15} />}
            onClick={() => onBefore?.()}
            disabledReason={onBefore ? null : 'This is the first row.'}
          />
          <IconButton
            label="Row after"
            icon={<ChevronRight aria-hidden size={15} />}
            onClick={() => onAfter?.()}
            disabledReason={onAfter ? null : 'This is the last row that has arrived.'}
          />
          <span id={id} aria-live="polite">
            {data && [data.side, ...data.tags, `hash ${data.hash}`].filter(Boolean).join(' · ')}
          </span>
        </div>
        {data ? (
          <RowBody key={data.position} of={of} row={data} onGo={onGo} />
        ) : error ? (
          <ErrorNotice title="The row can’t be shown" {...toErrorWords(error)} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={6} />
        )}
      </div>
      <ToastRegion />
    </Dialog>
  );
}
