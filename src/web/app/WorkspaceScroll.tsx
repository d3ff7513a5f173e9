import { useState, type ReactNode } from 'react';
import { useKeptScroll } from '#web/ui/useKeptScroll.ts';
import { PrintFooter } from './PrintFooter.tsx';

interface WorkspaceScrollProps {
  /** Under this name the place that was scrolled to is kept. */
  name: string;
  children: ReactNode;
}

/** The scrolling box of a tab; its content may fill it or be longer. */
export function WorkspaceScroll({ name, children }: WorkspaceScrollProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  useKeptScroll(box, `workspace ${name}`);
  return (
    <div ref={setBox} data-paper className="min-h-0 flex-1 overflow-y-auto p-4 print:overflow-visible print:p-0">
      <div className="flex h-full flex-col print:block print:h-auto">{children}</div>
      <PrintFooter />
    </div>
  );
}
