import { Suspense, useRef, useState, type ReactNode } from 'react';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';

const PanePager = toLazyPart('The way to panes out of view', async () => (await import('./PanePager.tsx')).PanePager);

interface PanePlace {
  paneId: string;
  index: number;
  count: number;
  isFocused: boolean;
  onFocus: (isFocused: boolean) => void;
}

interface PaneStripProps {
  renderPane: (place: PanePlace) => ReactNode;
}

/** The panes side by side. The strip scrolls before panes get too narrow to read. One pane can fill the whole strip. */
export function PaneStrip({ renderPane }: PaneStripProps) {
  const ids = useDesk(({ desk }) => desk.panes.map((pane) => pane.id).join(' '))
    .split(' ')
    .filter(Boolean);
  const [focused, setFocused] = useState<string | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const shown = focused !== null && ids.includes(focused) ? focused : null;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {shown === null && ids.length > 1 && (
        <Suspense>
          <PanePager strip={strip} ids={ids} />
        </Suspense>
      )}
      <div ref={strip} className="relative flex min-h-0 flex-1 snap-x snap-proximity overflow-x-auto overflow-y-hidden">
        {ids.map((id, index) =>
          shown === null || shown === id
            ? renderPane({
                paneId: id,
                index,
                count: ids.length,
                isFocused: shown === id,
                onFocus: (isFocused) => setFocused(isFocused ? id : null),
              })
            : null,
        )}
      </div>
    </div>
  );
}
