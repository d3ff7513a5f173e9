import { useState } from 'react';
import { usePrinting } from '#web/ui/usePrinting.ts';

function Stamp() {
  const [at] = useState(() => new Date());
  return (
    <footer className="mt-4 border-t border-line pt-1.5 text-sm break-all">
      {window.location.href} · printed {at.toLocaleString('en-GB')}
    </footer>
  );
}

/** On paper: where the page came from, and when. */
export function PrintFooter() {
  return usePrinting() && <Stamp />;
}
