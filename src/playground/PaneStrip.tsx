import { useState } from 'react';
import { useDesk } from './deskStore';
import type { ModelOption } from './modelOptions';
import { Pane } from './Pane';

interface PaneStripProps {
  options: readonly ModelOption[];
}

/** The panes side by side; when they would get too narrow to read, the strip scrolls. One can take the whole strip. */
export function PaneStrip({ options }: PaneStripProps) {
  const ids = useDesk(({ desk }) => desk.panes.map((pane) => pane.id).join(' ')).split(' ').filter(Boolean);
  const [focused, setFocused] = useState<string | null>(null);
  const shown = focused !== null && ids.includes(focused) ? focused : null;
  return (
    <div className="flex min-h-0 flex-1 snap-x snap-proximity overflow-x-auto overflow-y-hidden">
      {ids.map((id, index) =>
        shown === null || shown === id ? (
          <Pane
            key={id}
            paneId={id}
            index={index}
            count={ids.length}
            options={options}
            isFocused={shown === id}
            onFocus={(isFocused) => setFocused(isFocused ? id : null)}
          />
        ) : null,
      )}
    </div>
  );
}
