import { useId, type ReactNode } from 'react';
import { TabList } from '#web/ui/TabList.tsx';
import { PANEL_LABELS, PANELS, showPanel, type PanelName } from '#web/app/layout/layout.ts';
import { changeLayout, useLayout } from '#web/app/layout/layoutStore.ts';

interface NarrowLayoutProps {
  panels: Record<PanelName, ReactNode>;
}

const TABS = PANELS.map((name) => ({ value: name, label: PANEL_LABELS[name] }));

/** One panel at a time, as tabs. All stay mounted, so that what runs in them goes on. */
export function NarrowLayout({ panels }: NarrowLayoutProps) {
  const front = useLayout((layout) => layout.front);
  const id = useId();
  const choose = (value: string) => {
    const name = PANELS.find((panel) => panel === value);
    if (name) changeLayout((layout) => showPanel(layout, name));
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TabList label="Panels" value={front} onChange={choose} tabs={TABS} id={id} isStretched />
      {PANELS.map((name) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-panel-${name}`}
          aria-labelledby={`${id}-tab-${name}`}
          hidden={name !== front}
          className={`min-h-0 flex-1 flex-col overflow-hidden [&:not([hidden])]:flex ${name === 'workspace' ? 'bg-canvas' : 'bg-surface'}`}
        >
          {panels[name]}
        </div>
      ))}
    </div>
  );
}
