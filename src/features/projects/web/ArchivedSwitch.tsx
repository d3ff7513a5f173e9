import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { archivedTops } from '#features/projects/web/treeIndex/shownTree.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCount } from '#ui/kit/format.ts';

interface ArchivedSwitchProps {
  /** Of the whole tree. */
  index: TreeIndex;
}

/** Shows or hides what people archived, in tree, overview, table and curves. */
export function ArchivedSwitch({ index }: ArchivedSwitchProps) {
  const { archived } = useUrlState();
  const count = archivedTops(index).length;
  return (
    <div className="flex shrink-0 border-t border-line px-3 py-1 text-sm">
      <Toggle
        label={`Show archived (${formatCount(count)})`}
        value={archived !== null}
        onChange={(isShown) => updateUrl({ archived: isShown ? '1' : null }, { replace: true })}
      />
    </div>
  );
}
