import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { ActivityEntry, ActivityNode } from '#features/access/shared/activity.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { activityQuery } from './activityQuery.ts';
import { projectQuery, projectsQuery } from '#ui/client/queries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { nodePatch, selectNode } from '#ui/address/nodeTab.ts';
import { toProject, updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatClock, formatCount, formatCounted, shortId } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { isFound, toActivityWords, toNodeId, toWho } from './activityWords.ts';

/** What is known of the node that an entry is about. */
interface Place {
  readonly label: string;
  /** null: it can't be opened, and `note` says why. */
  readonly onOpen: (() => void) | null;
  readonly note: string;
}

const DELETED: Pick<Place, 'onOpen' | 'note'> = {
  onOpen: null,
  note: 'It was deleted. “Recently deleted” in the palette restores it for a day.',
};

/** Opens a node of any project of this studio. */
function openNode({ id, type, project_id }: ActivityNode): void {
  if (type === 'project') updateUrl(toProject(project_id));
  else updateUrl({ ...toProject(project_id), ...nodePatch({ id, type }) });
}

/** Nodes of the tree on screen, those that the service names, and projects. Of others only the id is known. */
function usePlaces(): (entry: ActivityEntry) => Place | null {
  const { project } = useUrlState();
  const tree = useQuery({ ...projectQuery(project ?? ''), enabled: false });
  const { data: projects } = useQuery(projectsQuery());
  const index = tree.data ? treeIndex(tree.data) : null;
  const nodeOf = (id: string): TreeNode | undefined => index?.nodes[index.placeOf.get(id) ?? -1];
  return (entry) => {
    const id = toNodeId(entry);
    if (id === null) return null;
    const node = nodeOf(id);
    if (node) return { label: nodeLabel(node), onOpen: () => selectNode(node), note: '' };
    const named = entry.node;
    if (named?.is_deleted === true) return { label: named.label, ...DELETED };
    if (named) return { label: named.label, onOpen: () => openNode(named), note: '' };
    const other = projects?.find((each) => each.id === id);
    if (other) return { label: other.name, onOpen: () => updateUrl(toProject(id)), note: '' };
    return { label: shortId(id), onOpen: null, note: 'It is gone, or in a project that is not on screen.' };
  };
}

function Entry({ entry, place, onClose }: { entry: ActivityEntry; place: Place | null; onClose: () => void }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-1.5 last:border-b-0">
      <time dateTime={entry.at} className="w-20 shrink-0 text-sm text-soft tabular-nums">
        {formatClock(Date.parse(entry.at))}
      </time>
      <span className="w-28 shrink-0 truncate font-medium" title={toWho(entry)}>
        {toWho(entry)}
      </span>
      <span className="min-w-0 flex-1 basis-60" title={`${entry.method} ${entry.path}`}>
        {toActivityWords(entry)}
        {entry.is_certain === false && (
          <span className="text-soft" title="The database answered too late to say whether it was done.">
            {' '}
            (not certain)
          </span>
        )}
        {place && (
          <>
            {': '}
            {place.onOpen ? (
              <button
                type="button"
                className="text-left text-accent underline-offset-2 hover:underline"
                onClick={() => {
                  place.onOpen?.();
                  onClose();
                }}
              >
                {place.label}
              </button>
            ) : (
              <span className="text-soft" title={place.note}>
                {place.label}
                {entry.node?.is_deleted === true && ' (deleted)'}
              </span>
            )}
          </>
        )}
      </span>
    </li>
  );
}

const toDay = ({ at }: ActivityEntry): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'full' });

function Entries({ onClose }: { onClose: () => void }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(activityQuery());
  const placeOf = usePlaces();
  const [search, setSearch] = useState('');
  if (error && !data)
    return <ErrorNotice title="The activity can’t be read" {...toErrorWords(error)} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton rows={5} />;
  if (data.pages[0] == null)
    return <p>This studio keeps no log of changes. Look in the studio that has the project.</p>;
  const all = data.pages.flatMap((page) => page?.entries ?? []);
  if (all.length === 0)
    return <p>Nothing was changed yet. Each change is listed here, with the name of the token that made it.</p>;
  const wanted = search.trim();
  const shown = all
    .map((entry) => ({ entry, place: placeOf(entry) }))
    .filter(({ entry, place }) => wanted === '' || isFound(entry, place?.label ?? '', wanted));
  const count =
    wanted === ''
      ? formatCounted(all.length, 'change')
      : `${formatCount(shown.length)} of the newest ${formatCounted(all.length, 'change')}`;
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <TextField
          label="Search activity"
          isLabelHidden
          type="search"
          placeholder="Search: who, what, node"
          value={search}
          onChange={setSearch}
          className="w-48 grow"
        />
        <output className="text-soft">{count}</output>
      </div>
      <ol aria-label="Changes, newest first" className="max-h-[60vh] overflow-y-auto">
        {shown.map(({ entry, place }, at) => {
          const before = shown[at - 1];
          const day = toDay(entry);
          return (
            <Fragment key={entry.id}>
              {(!before || toDay(before.entry) !== day) && (
                <li className="pt-3 pb-1 text-sm font-semibold text-soft">{day}</li>
              )}
              <Entry entry={entry} place={place} onClose={onClose} />
            </Fragment>
          );
        })}
      </ol>
      {error && <ErrorNotice title="Older changes can’t be read" {...toErrorWords(error)} />}
      {hasNextPage && (
        <div>
          <Button
            disabledReason={isFetchingNextPage ? 'They are being read.' : null}
            onClick={() => void fetchNextPage()}
          >
            {wanted === '' ? 'Show older' : 'Search older'}
          </Button>
        </div>
      )}
    </div>
  );
}

interface ActivityLogProps {
  onClose: () => void;
}

/** Who changed what in this studio, newest first. */
export function ActivityLog({ onClose }: ActivityLogProps) {
  return (
    <Dialog title="Who changed what" isOpen onClose={onClose}>
      <Entries onClose={onClose} />
    </Dialog>
  );
}
