import { useEffect, type ReactNode } from 'react';
import { useShareHash } from '../session/sharedLink';
import { showPanel, type PanelName } from './layout';
import { changeLayout } from './layoutStore';
import { NarrowLayout } from './NarrowLayout';
import { ShortcutKeys } from './ShortcutKeys';
import { WideLayout } from './WideLayout';

interface PanelLayoutProps {
  isNarrow: boolean;
  panels: Record<PanelName, ReactNode>;
}

/** The three panels in the layout that there is room for, and the keys that work in all of them. */
export function PanelLayout({ isNarrow, panels }: PanelLayoutProps) {
  const isShared = useShareHash() !== null;
  useEffect(() => {
    // A link that holds a session is the playground's to show.
    if (isShared) changeLayout((layout) => showPanel(layout, 'playground'));
  }, [isShared]);
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      {isNarrow ? <NarrowLayout panels={panels} /> : <WideLayout panels={panels} />}
      <ShortcutKeys />
    </main>
  );
}
