import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Group, Panel, Separator, type GroupImperativeHandle } from 'react-resizable-panels';
import { PANEL_LABELS, reduceSizes, toPercentages, type PanelName } from './layout';
import { changeLayout, useLayout } from './layoutStore';

interface WideLayoutProps {
  panels: Record<PanelName, ReactNode>;
}

const MIN_WIDTHS: Record<PanelName, number> = { tree: 200, workspace: 320, playground: 340 };
const SURFACES: Record<PanelName, string> = { tree: 'bg-surface', workspace: 'bg-canvas', playground: 'bg-surface' };
const LINE =
  'relative w-px bg-line outline-none before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent';

/** Three panels side by side. A hidden panel stays mounted, so that what runs in it goes on. */
export function WideLayout({ panels }: WideLayoutProps) {
  const layout = useLayout();
  const group = useRef<GroupImperativeHandle>(null);
  const [first] = useState(() => toPercentages(layout));

  const { tree, workspace, playground } = toPercentages(layout);
  useEffect(() => {
    const now = group.current?.getLayout();
    const isSame = now && Math.abs((now['tree'] ?? 0) - tree) < 0.5 && Math.abs((now['playground'] ?? 0) - playground) < 0.5;
    if (!isSame) group.current?.setLayout({ tree, workspace, playground });
  }, [tree, workspace, playground]);

  const toPanel = (name: PanelName) => (
    <Panel id={name} minSize={MIN_WIDTHS[name]} collapsible collapsedSize={0} className={SURFACES[name]}>
      <section
        aria-label={PANEL_LABELS[name]}
        hidden={!layout.visible.includes(name)}
        className="flex h-full min-h-0 min-w-0 flex-col overflow-hidden [&[hidden]]:hidden"
      >
        {panels[name]}
      </section>
    </Panel>
  );
  return (
    <Group
      groupRef={group}
      defaultLayout={first}
      onLayoutChanged={(sizes, { isUserInteraction }) => {
        if (isUserInteraction) changeLayout((last) => reduceSizes(last, sizes));
      }}
      className="min-h-0 flex-1"
    >
      {toPanel('tree')}
      <Separator aria-label="Width of the tree" className={LINE} />
      {toPanel('workspace')}
      <Separator aria-label="Width of the playground" className={LINE} />
      {toPanel('playground')}
    </Group>
  );
}
