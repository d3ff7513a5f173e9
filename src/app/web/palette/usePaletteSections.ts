// What the command palette lists for a typed text: sections of entries, the section with the best entry first.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { modelsQuery, projectQuery, projectsQuery } from '#ui/client/queries.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { nodeLabel, statusCause, type TreeNode } from '#core/contract/projectReader.ts';
import { toShownStatus } from '#features/projects/web/treeIndex/shownStatus.ts';
import type { StatusCause } from '#core/contract/statuses.ts';
import { useTheme } from '#ui/kit/theme.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { useNotes } from '#features/notes/web/useNotes.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toPathText } from '#features/projects/web/treeChanges/activity.ts';
import { treeIndex, type TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showPanel } from '#app/web/layout/layout.ts';
import { changeLayout, showWorkspace, useLayout } from '#app/web/layout/layoutStore.ts';
import { toModelEntries, toModelNames, toRunEntries, toNoteEntries } from './foundEntries.ts';
import { toActionEntries, toEntryText, type PaletteEntry } from './paletteEntry.ts';
import { parseQuery, rankTexts, type PaletteQuery, type Ranked } from './paletteRank.ts';
import { focusNodeName } from '#app/web/layout/focusNodeName.ts';
import { toStatusText, useNodeSearch, type FoundNodes } from './useNodeSearch.ts';
import { useIsNarrow } from '#app/web/layout/useIsNarrow.ts';

const MOST_NODES = 50;
const MOST_MODELS = 12;
/** Of a status; the row that filters the tree by it must stay in view. */
const MOST_OF_STATUS = 6;
const MOST_ACTIONS = 50;
/** Between words of labels and parts of other fields. */
const STATUS_RANK = 2.5;
const NO_ENTRIES: readonly PaletteEntry[] = [];

export interface PaletteRow extends PaletteEntry {
  /** The node's type and status; absent for what is no node. */
  readonly node?: { readonly type: string; readonly status: string | null; readonly cause: StatusCause | null };
}

export interface PaletteSection {
  readonly name: string;
  readonly rows: readonly PaletteRow[];
  readonly best: number;
  /** Found, but not listed. */
  readonly more: number;
}

function goToNode(node: TreeNode): void {
  showWorkspace();
  selectNode(node);
  focusNodeName();
}

function toNodeRow(index: TreeIndex, at: number, group = 'node'): PaletteRow | [] {
  const node = index.nodes[at];
  if (!node) return [];
  const { id, type } = node;
  return {
    key: `${group} ${at}`,
    label: nodeLabel(node),
    hint: toPathText(index, id),
    onSelect: () => goToNode(node),
    node: { type, status: toShownStatus(node) ?? null, cause: statusCause(node) },
  };
}

const toNodeSection = (index: TreeIndex | null, { places, best, count }: Ranked): PaletteSection => ({
  name: 'Nodes',
  rows: index ? places.flatMap((at) => toNodeRow(index, at)) : [],
  best,
  more: count - places.length,
});

/** "failed": the nodes that failed, and a row that filters the tree by it. */
function toStatusSection(index: TreeIndex | null, found: FoundNodes['status']): PaletteSection | [] {
  if (index === null || found === null || found.ranked.count === 0) return [];
  const { query, ranked } = found;
  const what = toStatusText(query);
  const places = ranked.places.slice(0, MOST_OF_STATUS);
  return {
    name: `Status ${what}`,
    rows: [
      ...places.flatMap((at) => toNodeRow(index, at, 'status')),
      {
        key: 'status filter',
        label: `Show ${what} in the tree`,
        hint: formatCounted(ranked.count, 'node'),
        onSelect: () => {
          changeLayout((layout) => showPanel(layout, 'tree'));
          updateUrl({ status: query.statuses, q: query.rest.join(' ') || null });
        },
      },
    ],
    best: STATUS_RANK,
    more: ranked.count - places.length,
  };
}

function toSection(name: string, entries: readonly PaletteEntry[], query: PaletteQuery, most: number): PaletteSection {
  const { places, best, count } = rankTexts(entries.map(toEntryText), query, most);
  return { name, rows: places.flatMap((at) => entries[at] ?? []), best, more: count - places.length };
}

export interface PaletteOffer {
  readonly sections: readonly PaletteSection[];
  /** Nodes that can be searched; null while there is no project on screen. */
  readonly nodeCount: number | null;
  readonly words: readonly string[];
  readonly isSearching: boolean;
  /** The first row for what is typed now, whatever it takes. */
  readonly findFirst: () => PaletteRow | undefined;
}

export function usePaletteSections(text: string): PaletteOffer {
  const url = useUrlState();
  const theme = useTheme();
  const layout = useLayout();
  const isNarrow = useIsNarrow();
  // It looks at what others keep fresh, and starts no polling of its own.
  const project = useQuery({ ...projectQuery(url.project ?? ''), enabled: false });
  const { data: models } = useQuery(modelsQuery());
  const { data: projects } = useQuery(projectsQuery());
  const index = project.data ? treeIndex(project.data) : null;
  const query = useMemo(() => parseQuery(text), [text]);
  const search = useNodeSearch(index, query, MOST_NODES);

  const actions = toActionEntries({
    theme,
    layout,
    projects: projects ?? [],
    projectId: url.project,
    isFiltered: url.q !== null || url.status.length > 0,
    isNarrow,
  });
  const client = useQueryClient();
  const { areKept } = useNotes();
  const isAllowed = useReadOnlyReason() === null;
  const selected = index?.nodes[index.placeOf.get(url.node ?? '') ?? -1];
  const isFolder = useIsFolder(url.project) === true;
  const runEntries = isFolder && selected ? toRunEntries(selected) : NO_ENTRIES;
  const noteEntries = areKept && isAllowed && selected ? toNoteEntries(client, selected) : NO_ENTRIES;
  const names = useMemo(() => toModelNames(index), [index]);
  const rest = [
    toSection('Actions', [...runEntries, ...noteEntries, ...actions], query, MOST_ACTIONS),
    toSection(
      'Models',
      query.words.length === 0 ? NO_ENTRIES : toModelEntries(models ?? [], names),
      query,
      MOST_MODELS,
    ),
  ];
  const arrange = (shownIndex: TreeIndex | null, { ranked, status }: FoundNodes) =>
    [toNodeSection(shownIndex, ranked), toStatusSection(shownIndex, status), ...rest]
      .flat()
      .filter(({ rows }) => rows.length > 0)
      .toSorted((a, b) => a.best - b.best);
  return {
    sections: arrange(search.index, search.nodes),
    nodeCount: index?.nodes.length ?? null,
    words: query.words,
    isSearching: search.isSearching,
    findFirst: () => arrange(index, search.finish())[0]?.rows[0],
  };
}
