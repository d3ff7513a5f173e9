import { memo, useRef, type RefObject } from 'react';
import type { BlockNode } from './markdownNodes.ts';
import type { Section } from './sections.ts';
import { useNearness } from './useNearness.ts';
import { BlockView } from './BlockView.tsx';

interface MarkdownPageProps {
  blocks: readonly BlockNode[];
  /** What follows them. */
  live: readonly BlockNode[];
  /** `live` still changes. */
  isLive: boolean;
}

/** Up to a page of blocks. A full page is never rendered again, and not even laid out while it is out of view. */
const MarkdownPage = memo(function MarkdownPage({ blocks, live, isLive }: MarkdownPageProps) {
  return (
    <div className={isLive ? 'md-page md-growing' : 'md-page'}>
      {[...blocks, ...live].map((block, index) => (
        <BlockView key={block.key} node={block} isLive={isLive && index >= blocks.length} />
      ))}
    </div>
  );
});

interface MarkdownSectionProps {
  section: Section;
  /** Finished blocks after its pages, and what follows them; only the last section has them. */
  recent: readonly BlockNode[];
  live: readonly BlockNode[];
  isLast: boolean;
  /** `live` still changes. */
  isLive: boolean;
  /** It is put into the document even when it is far from view. */
  isDue: boolean;
  /** It is taken out again when it is far from view. */
  isFleeting: boolean;
  /** Its height, in pixels, until it has been laid out. */
  estimate: number;
}

const NO_BLOCKS: readonly BlockNode[] = [];

/** A section of an answer: its blocks while it is near, an empty box of the same height while it is far away. */
export const MarkdownSection = memo(function MarkdownSection({
  section,
  recent,
  live,
  isLast,
  isLive,
  isDue,
  isFleeting,
  estimate,
}: MarkdownSectionProps) {
  const box: RefObject<HTMLDivElement | null> = useRef(null);
  const { isNear, height } = useNearness(box, { isAlways: isLast, isDue, isFleeting });
  if (!isNear && !isLast) return <div ref={box} className="md-section" style={{ height: height ?? estimate }} />;
  return (
    <div ref={box} className="md-section">
      {section.pages.map((page) => (
        <MarkdownPage key={page[0]?.key} blocks={page} live={NO_BLOCKS} isLive={false} />
      ))}
      {(recent.length > 0 || live.length > 0) && (
        <MarkdownPage key={(recent[0] ?? live[0])?.key} blocks={recent} live={live} isLive={isLive} />
      )}
    </div>
  );
});
