import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

interface MoreFiguresProps {
  /** "More figures, 42". */
  title: string;
  children: ReactNode;
}

/** A fold for what few people read; closed until it is opened. */
export function MoreFigures({ title, children }: MoreFiguresProps) {
  return (
    <details className="group/more">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded text-sm text-accent hover:underline [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden size={12} className="group-open/more:rotate-90" />
        {title}
      </summary>
      {children}
    </details>
  );
}
