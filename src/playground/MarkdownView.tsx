import { useLayoutEffect, useMemo, useState } from 'react';
import './markdown.css';
import { MarkdownPage } from './MarkdownPage';
import type { BlockNode } from './markdownNodes';
import { openMarkdown } from './markdownReader';
import { frames } from './running';

interface MarkdownViewProps {
  text: string;
  isLive: boolean;
}

const NO_BLOCKS: readonly BlockNode[] = [];

/** Markdown while it is written: each frame lexes and renders only what is not finished. */
export function MarkdownView({ text, isLive }: MarkdownViewProps) {
  const [reader] = useState(() => openMarkdown(() => performance.now()));
  const state = useMemo(() => reader.read(text, !isLive), [reader, text, isLive]);
  useLayoutEffect(() => {
    if (isLive) frames.reportCost(reader.sinceRead());
  });
  return (
    <div className="md" data-live={isLive || undefined}>
      {state.pages.map((page) => (
        <MarkdownPage key={page[0]?.key} blocks={page} live={NO_BLOCKS} />
      ))}
      <MarkdownPage key={(state.recent[0] ?? state.live[0])?.key} blocks={state.recent} live={state.live} />
    </div>
  );
}
