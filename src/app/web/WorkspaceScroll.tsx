import { useState, type ReactNode } from 'react';
import { useKeptScroll } from '#ui/kit/useKeptScroll.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';

function Stamp() {
  const [at] = useState(() => new Date());
  return (
    <footer className="mt-4 border-t border-line pt-1.5 text-sm break-all">
      {window.location.href} · printed {at.toLocaleString('en-GB')}
    </footer>
  );
}

/** On paper: where the page came from, and when. */
function PrintFooter() {
  return usePrinting() && <Stamp />;
}

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
    <div
      ref={setBox}
      data-paper
      // What is scrolled to is not to end below a bar that stays at the foot of the box.
      className="min-h-0 flex-1 overflow-y-auto p-4 has-data-foot:scroll-pb-16 print:overflow-visible print:p-0"
    >
      <div className="flex h-full flex-col print:block print:h-auto">{children}</div>
      <PrintFooter />
    </div>
  );
}
