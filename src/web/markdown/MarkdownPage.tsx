import { memo } from 'react';
import { BlockView } from './BlockView.tsx';
import type { BlockNode } from './markdownNodes.ts';

interface MarkdownPageProps {
  blocks: readonly BlockNode[];
  /** What follows them. */
  live: readonly BlockNode[];
  /** `live` still changes. */
  isLive: boolean;
}

/** Up to a page of blocks. A full page is never rendered again, and not even laid out while it is out of view. */
export const MarkdownPage = memo(function MarkdownPage({ blocks, live, isLive }: MarkdownPageProps) {
  return (
    <div className={isLive ? 'md-page md-growing' : 'md-page'}>
      {[...blocks, ...live].map((block, index) => (
        <BlockView key={block.key} node={block} isLive={isLive && index >= blocks.length} />
      ))}
    </div>
  );
});
