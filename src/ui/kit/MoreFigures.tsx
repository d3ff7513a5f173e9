import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { usePrinting } from './usePrinting.ts';

interface MoreFiguresProps {
  /** "More figures, 42". */
  title: string;
  children: ReactNode;
}

/** A fold for details that few people read. It starts closed, and is open on paper. */
export function MoreFigures({ title, children }: MoreFiguresProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isPrinting = usePrinting();
  return (
    <details open={isUnfolded || isPrinting} onToggle={(event) => !isPrinting && setUnfolded(event.currentTarget.open)}>
      <summary
        className={
          'inline-flex min-h-6 list-none items-center gap-1 rounded text-sm text-accent hover:underline ' +
          '[&::-webkit-details-marker]:hidden'
        }
      >
        <ChevronRight aria-hidden size={12} className="[[open]>*>&]:rotate-90" />
        {title}
      </summary>
      {children}
    </details>
  );
}
