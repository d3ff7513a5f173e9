import { Fragment } from 'react';
import { toBreakParts } from '#features/evaluation/web/grid/breakParts.ts';

interface SoftTextProps {
  text: string;
}

/** Text whose long words can break after punctuation. */
export function SoftText({ text }: SoftTextProps) {
  const parts = toBreakParts(text);
  if (parts.length === 1) return text;
  let end = 0;
  return parts.map((part) => {
    end += part.length;
    return (
      <Fragment key={end}>
        {part}
        <wbr />
      </Fragment>
    );
  });
}
