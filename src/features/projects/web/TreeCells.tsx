import { Archive, Brain, ChevronRight, Ellipsis, Star } from 'lucide-react';
import { memo } from 'react';
import type { NodeRendererProps } from 'react-arborist';
import { isArchived, isStarred, isUnrecorded, nodeLabel, nodeTags, ownLabel } from '#core/contract/projectReader.ts';
import { toStatusMeaning } from '#core/contract/statuses.ts';
import { CutText } from '#ui/kit/CutText.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { HighlightedText } from './HighlightedText.tsx';
import { NodeBadge } from './NodeBadge.tsx';
import { NodeIcon } from './NodeIcon.tsx';
import { RollUpBar } from './RollUpBar.tsx';
import { toNodeScore } from '#features/projects/web/treeIndex/nodeScore.ts';
import { toRowCounts } from '#features/projects/web/treeIndex/rowCounts.ts';
import { explainHit } from '#features/projects/web/treeIndex/searchTexts.ts';
import { useTreeContext } from './treeContext.ts';
import type { ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';

const isSameRow = ({ row: a }: { row: ViewRow }, { row: b }: { row: ViewRow }): boolean =>
  a.id === b.id && a.at === b.at && a.isOpen === b.isOpen && a.children === b.children;

const NO_WORDS: readonly string[] = [];
/**
 * Panel widths below which texts are hidden, so that labels stay readable: first the texts of good badges, then of all
 * badges, then the bars. From `wide` on there is room for extras.
 */
const WIDTHS = { rollUp: 260, badge: 330, calmBadge: 360, wide: 420 };
/** Pixels per level. A narrow panel gives the room to the label. */
const toIndent = (width: number): number => (width < WIDTHS.rollUp ? 8 : width < WIDTHS.calmBadge ? 11 : 15);

function isBadgeCompact(status: string, width: number): boolean {
  return width < (toStatusMeaning(status) === 'good' ? WIDTHS.calmBadge : WIDTHS.badge);
}

/** The cells of an unchanged row don't render again when the row moves. */
const Cells = memo(function Cells({ row }: { row: ViewRow }) {
  const { index, hits, touched, width } = useTreeContext();
  const node = index.nodes[row.at];
  const rollUp = index.rollUps[row.at];
  if (!node || !rollUp) return null;

  const label = nodeLabel(node);
  const own = ownLabel(node);
  const isAway = isArchived(node);
  // No dataset, and so without a state of its own.
  const isPlace = isUnrecorded(node);
  const isHit = hits !== null && hits.isHit[row.at] === 1;
  // A row above a hit may contain the words that the hit lacks.
  const words = hits?.words ?? NO_WORDS;
  const found = isHit ? explainHit(node, words) : null;
  const tags = nodeTags(node);
  // A tag shows by itself why it was found.
  const why = found !== null && tags.includes(found) ? null : found;
  const hidden = hits !== null && !row.isOpen ? (hits.hitsWithin[row.at] ?? 0) - (isHit ? 1 : 0) : 0;
  const counts = toRowCounts(node);
  const score = toNodeScore(node);
  // A change in a closed branch shows at the branch.
  const isTouched = touched !== null && (touched.own.has(row.id) || (!row.isOpen && touched.within.has(row.id)));
  const showsCounts = counts !== null && width >= WIDTHS.rollUp && (node.type === 'snapshot' || width >= WIDTHS.wide);
  // Beside a snapshot's two counts a bar fits only in a wide panel.
  const showsRollUp = rollUp.total > 0 && width >= (node.type === 'snapshot' ? WIDTHS.wide : WIDTHS.rollUp);
  return (
    <div
      className="relative isolate flex h-full min-w-0 items-center gap-1.5 pr-5"
      style={{ paddingLeft: 6 + (index.level[row.at] ?? 0) * toIndent(width) }}
    >
      {isTouched && (
        <span
          key={touched.number}
          aria-hidden
          data-touched
          className="pointer-events-none absolute inset-0 -z-10 animate-flash bg-highlight opacity-0"
        />
      )}
      {row.children === null ? (
        <span className="w-4 shrink-0" />
      ) : (
        <span
          aria-hidden
          data-toggle
          className="-my-1 flex h-7 w-4 shrink-0 items-center justify-center rounded text-faint hover:text-ink"
        >
          <ChevronRight size={13} className={`transition-transform duration-100 ${row.isOpen ? 'rotate-90' : ''}`} />
        </span>
      )}
      <NodeIcon type={isPlace ? 'place' : node.type} />
      {isStarred(node) && <Star aria-hidden size={12} className="shrink-0 fill-warning text-warning" />}
      {isAway && <Archive aria-hidden size={12} className="shrink-0 text-faint" />}
      <span
        className={`min-w-0 flex-1 truncate ${isAway ? 'text-faint' : isPlace ? 'text-soft' : ''}`}
        title={own === label ? label : `${label}\nBefore it was renamed: ${own}`}
      >
        {words.length === 0 ? <CutText text={label} /> : <HighlightedText text={label} words={words} />}
        {isStarred(node) && <span className="sr-only">, starred</span>}
        {isAway && <span className="sr-only">, archived</span>}
        {/* Within the label's room: where there is little, the label comes first. */}
        {tags.map((tag) => (
          <span key={tag} className="ml-1.5 rounded bg-neutral-soft px-1 text-xs text-soft">
            <HighlightedText text={tag} words={words} />
          </span>
        ))}
        {why !== null && (
          <span className="ml-2 font-mono text-xs text-soft" title={why}>
            <HighlightedText text={why} words={words} />
          </span>
        )}
      </span>
      {/* For pointers only: keys open the menu with Shift+F10. Its room stays free, so that it covers no text. */}
      <span
        aria-hidden
        data-menu
        className={
          'absolute right-0 hidden h-7 w-5 items-center justify-center rounded text-soft group-hover/row:flex ' +
          'group-focus-visible/row:flex hover:bg-line hover:text-ink'
        }
      >
        <Ellipsis size={14} />
      </span>
      {hidden > 0 && (
        <span className="shrink-0 text-sm text-accent" title={`${formatCount(hidden)} found within`}>
          {formatCount(hidden)}
          <span className={width < WIDTHS.wide ? 'sr-only' : ''}> within</span>
        </span>
      )}
      {node.metadata['reasoning'] === true && (
        <span className="flex shrink-0 items-center gap-1 text-sm text-soft" title="Trains on reasoning">
          <Brain aria-hidden size={12} strokeWidth={1.8} />
          <span className={width < WIDTHS.wide ? 'sr-only' : ''}>reasoning</span>
        </span>
      )}
      {showsCounts && (
        <span className="shrink-0 text-sm text-faint" title={counts.long}>
          {counts.short}
        </span>
      )}
      {score && width >= WIDTHS.rollUp && (
        <span className="shrink-0 text-sm text-soft tabular-nums" title={score.long}>
          {score.short}
          <span className="sr-only"> passed</span>
        </span>
      )}
      {showsRollUp && <RollUpBar rollUp={rollUp} />}
      {node.status !== undefined && !isPlace && (
        <NodeBadge node={node} isCompact={isBadgeCompact(node.status, width)} />
      )}
    </div>
  );
}, isSameRow);

/** The content of a row, from the chevron to the badge. */
export function TreeCells({ node }: NodeRendererProps<ViewRow>) {
  return <Cells row={node.data} />;
}
