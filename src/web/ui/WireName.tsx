import { Fragment } from 'react';

interface WireNameProps {
  name: string;
}

/** A field's name as the wire has it, which may break after an underscore but stays one word when it is copied. */
export function WireName({ name }: WireNameProps) {
  const parts = name.split(/(?<=_)/);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
