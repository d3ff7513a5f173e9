import { type MouseEvent } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { nodePatch, selectNode } from '#ui/address/nodeTab.ts';
import { linkTo } from '#ui/address/urlState.ts';

interface BreadcrumbProps {
  /** The selected node and its ancestors, the project first. */
  path: readonly TreeNode[];
}

/** The way from the project to the selected node, as real links. */
export function Breadcrumb({ path }: BreadcrumbProps) {
  const follow = (event: MouseEvent, node: TreeNode) => {
    // A new tab or window is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    selectNode(node);
  };
  return (
    <nav aria-label="Breadcrumb" className="flex min-h-5 min-w-0 flex-wrap items-center gap-1.5 text-sm text-soft">
      {path.map((node, at) => {
        const label = nodeLabel(node);
        const isLast = at === path.length - 1;
        return (
          <span key={node.id} className="flex max-w-full min-w-0 items-center gap-1.5">
            {at > 0 && <span aria-hidden>›</span>}
            <a
              href={linkTo(nodePatch(node))}
              title={label}
              aria-current={isLast ? 'page' : undefined}
              onClick={(event) => follow(event, node)}
              className={`min-w-6 max-w-64 truncate rounded hover:text-ink hover:underline ${isLast ? 'text-ink' : ''}`}
            >
              {label}
            </a>
          </span>
        );
      })}
    </nav>
  );
}
