import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import type { BlockNode } from './markdownNodes.ts';
import { PlainOnError } from './PlainOnError.tsx';
import { useNearness } from './useNearness.ts';
import { whenIdle } from './whenIdle.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

const HighlightedCode = lazy(async () => ({ default: (await import('./HighlightedCode.tsx')).HighlightedCode }));

interface CodeBlockProps {
  code: Extract<BlockNode, { kind: 'code' }>;
  /** More of it may come. */
  isLive: boolean;
}

/** The text comes first: colours wait until what streams has been shown. */
const COLOUR_AFTER_MS = 300;

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return <span className="md-chunk">{text}</span>;
});

function toText({ chunks, rest }: CodeBlockProps['code']): string {
  return chunks.map((chunk) => chunk.text).join('') + rest;
}

/**
 * Code with a copy button. Lines that are complete stand in pieces of their own and are left alone while more comes.
 * Code that is complete gets its colours once it has been in view and the page has time.
 */
export const CodeBlock = memo(function CodeBlock({ code, isLive }: CodeBlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isColoured, setColoured] = useState(false);
  // Not before there is time: where a box stands is work for the browser while an answer grows.
  const [isWatched, setWatched] = useState(false);
  const isSettled = !isLive && code.language !== '';
  useEffect(() => (isSettled && !isWatched ? whenIdle(() => setWatched(true), 0) : undefined), [isSettled, isWatched]);
  const { isNear } = useNearness(box, { isAlways: false, isDue: false, isFleeting: false, isWanted: isWatched });
  const isWorth = isNear && isSettled;
  useEffect(
    () => (isWorth && !isColoured ? whenIdle(() => setColoured(true), COLOUR_AFTER_MS) : undefined),
    [isWorth, isColoured],
  );

  const plain = (
    <>
      {code.chunks.map(({ key, text }) => (
        <Chunk key={key} text={text} />
      ))}
      {code.rest !== '' && <span className="md-chunk">{code.rest}</span>}
    </>
  );
  return (
    <div ref={box} className="md-code" data-language={code.language}>
      <div className="md-code-head">
        <span className="min-w-0 flex-1 truncate">{code.language || 'text'}</span>
        <CopyButton label="Copy code" text={() => toText(code)} />
      </div>
      <pre {...SCROLLING} aria-label={`Code, ${code.language || 'text'}`}>
        <code>
          {isWorth && isColoured ? (
            <PlainOnError text={toText(code)}>
              <Suspense fallback={plain}>
                <HighlightedCode code={toText(code)} language={code.language} />
              </Suspense>
            </PlainOnError>
          ) : (
            plain
          )}
        </code>
      </pre>
    </div>
  );
});
