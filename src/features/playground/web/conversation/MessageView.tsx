import { useMemo, type ReactNode } from 'react';
import { toPieces } from '#features/playground/web/desk/messagePieces.ts';
import { TurnHeading } from './TurnHeading.tsx';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface MessageViewProps {
  author: string;
  text: string;
  /** A note beside the author. */
  about?: string;
  toolbar?: ReactNode;
}

/** A longer text may scroll, so the keyboard must reach it. */
const LONG = 600;

/** A message as it was typed, without markdown. Parts of a long message that are out of view cost no layout. */
export function MessageView({ author, text, about = '', toolbar }: MessageViewProps) {
  const scrolling =
    text.length > LONG || text.split('\n', 12).length === 12 ? { ...SCROLLING, 'aria-label': `${author} message` } : {};
  const pieces = useMemo(() => toPieces(text), [text]);
  const shown =
    pieces.length === 1
      ? text
      : pieces.map(({ at, text: piece, lines }) => (
          <div
            key={at}
            className="[content-visibility:auto]"
            style={{ containIntrinsicBlockSize: `auto ${lines * 1.45}em` }}
          >
            {piece}
          </div>
        ));
  return (
    <div className="border-b border-line pt-0.5 pr-1.5 pb-2 pl-3">
      <TurnHeading author={author} about={about} toolbar={toolbar} />
      <section {...scrolling} className="max-h-64 overflow-y-auto pr-1.5 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {text === '' ? <span className="text-faint">This answer is empty.</span> : shown}
      </section>
    </div>
  );
}
