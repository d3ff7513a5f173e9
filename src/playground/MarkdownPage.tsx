import { memo } from 'react';
import { BlockView } from './BlockView';
import type { BlockNode } from './markdownNodes';

interface MarkdownPageProps {
  blocks: readonly BlockNode[];
  /** What follows them and still changes. */
  live: readonly BlockNode[];
}

/** Up to a page of blocks. A full page is never rendered again, and not even laid out while it is out of view. */
export const MarkdownPage = memo(function MarkdownPage({ blocks, live }: MarkdownPageProps) {
  return (
    <div className="md-page">
      {[...blocks, ...live].map((block) => (
        <BlockView key={block.key} node={block} />
      ))}
    </div>
  );
});
