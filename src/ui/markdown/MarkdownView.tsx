import { startTransition, useEffect, useMemo, useState } from 'react';
import { startSlices, TIMER_STEPS } from '#ui/timing/slices.ts';
import './markdown.css';
import type { BlockNode } from './markdownNodes.ts';
import { openMarkdown } from './markdownReader.ts';
import { MarkdownSection } from './MarkdownSection.tsx';
import { countNear, toEstimate } from './sections.ts';
import { warmUp } from './warmUp.ts';
import { whenIdle } from './whenIdle.ts';

interface MarkdownViewProps {
  text: string;
  isLive: boolean;
}

const NO_BLOCKS: readonly BlockNode[] = [];
/**
 * An answer of more sections than this, about 45,000 tokens, keeps only those in the document that are near the view.
 */
const MAX_SECTIONS = 96;
/** Pieces of an answer that comes faster than it can be read, between one look at it and the next. */
const PIECES = 6;
/** What follows an answer at once, such as the next one, goes before filling in the rest of it. */
const FILL_AFTER_MS = 400;
/**
 * Sections that are filled in together: a frame of the whole page costs more than a section. Few enough to get done
 * between the frames of another answer.
 */
const FILL_STEP = 8;

/** Reads up to PIECES pieces, each in a task of its own, and calls back with the next frame. Returns the way to stop. */
function readPieces(readOn: () => boolean, onDone: () => void): () => void {
  function* toSteps(): Generator<undefined, void> {
    for (let left = PIECES; left > 0; left -= 1) {
      yield undefined;
      if (!readOn()) return;
    }
  }
  let frame = 0;
  const stop = startSlices(toSteps(), TIMER_STEPS, () => {
    frame = requestAnimationFrame(onDone);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

// The first answer need not wait for the browser to compile what reads it.
warmUp(whenIdle);

/** Markdown while it is written: each frame lexes and renders only what is not finished, and only near the view. */
export function MarkdownView({ text, isLive: isComing }: MarkdownViewProps) {
  const [reader] = useState(openMarkdown);
  // Of much that has come at once it reads a piece per task, and shows how far it is now and then.
  const [piece, setPiece] = useState(0);
  const { state, sections, isBehind } = useMemo(
    () => ({ piece, ...reader.read(text, !isComing) }),
    [reader, text, isComing, piece],
  );
  useEffect(
    () => (isBehind ? readPieces(reader.readOn, () => setPiece(piece + 1)) : undefined),
    [reader, isBehind, piece],
  );
  const isLive = isComing || isBehind;

  // A complete answer is put into the document as a whole while nothing else is to do, so that the browser finds text
  // in it. React renders a step in slices of a few milliseconds, with room for all else in between.
  const [due, setDue] = useState(0);
  const isFleeting = sections.length > MAX_SECTIONS;
  const isFilling = !isLive && !isFleeting && due < sections.length;
  useEffect(
    () =>
      isFilling
        ? whenIdle(() => startTransition(() => setDue(due + FILL_STEP)), due === 0 ? FILL_AFTER_MS : 0)
        : undefined,
    [isFilling, due],
  );

  const last = sections.length - 1;
  // So much is put into the document with the end of the answer: enough for a view, and not more where much comes at
  // once.
  const near = countNear(sections, state.at);
  // What the browser may leave out of layout it finds out in a frame of its own: not in the one that shows the end.
  const isCalm = !isLive && (due > 0 || isFleeting);
  return (
    <div className="md" data-live={isLive || undefined} data-calm={isCalm || undefined}>
      {sections.map((section, index) => (
        <MarkdownSection
          key={section.index}
          section={section}
          recent={index === last ? state.recent : NO_BLOCKS}
          live={index === last ? state.live : NO_BLOCKS}
          isLast={index === last}
          isLive={isLive && index === last}
          isDue={last - index <= due + near}
          isFleeting={isFleeting}
          estimate={toEstimate(section, sections[index + 1]?.pages[0]?.[0]?.key ?? state.at)}
        />
      ))}
    </div>
  );
}
