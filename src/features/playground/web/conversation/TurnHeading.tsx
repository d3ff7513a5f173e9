import type { ReactNode } from 'react';

interface TurnHeadingProps {
  author: string;
  /** A note beside the author. */
  about: string;
  /** Covers `about` while it is visible. */
  toolbar?: ReactNode;
  children?: ReactNode;
}

export function TurnHeading({ author, about, toolbar, children }: TurnHeadingProps) {
  return (
    <div className="flex h-7 items-center gap-1 text-xs font-semibold text-faint">
      <h3>{author}</h3>
      <div className="relative flex h-full min-w-0 flex-1 items-center">
        <span className="truncate pl-1 font-mono font-normal" title={about}>
          {about}
        </span>
        {toolbar !== undefined && <div className="absolute inset-y-0 right-0 flex items-center">{toolbar}</div>}
      </div>
      {children}
    </div>
  );
}
