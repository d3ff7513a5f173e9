import { Fragment } from 'react';

interface WireNameProps {
  name: string;
}

/** A field's name as sent. It may break after an underscore, but copies as one word. */
export function WireName({ name }: WireNameProps) {
  const parts = name.split(/(?<=_)/);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
