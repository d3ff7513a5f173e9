import { Fragment } from 'react';
import { toFigureParts } from '#web/grid/cells/breakParts.ts';

interface FiguresProps {
  text: string;
}

/** Figures in words that break between facts where the line is too short for all. */
export function Figures({ text }: FiguresProps) {
  return toFigureParts(text).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && ' '}
      <span className="inline-block">{part}</span>
    </Fragment>
  ));
}
