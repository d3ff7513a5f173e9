import { useEffect, type ReactNode } from 'react';
import { useShareHash } from '#ui/address/sharedLink.ts';
import { showPanel, type PanelName } from '#app/web/layout/layout.ts';
import { changeLayout } from '#app/web/layout/layoutStore.ts';
import { PanelSections } from './PanelSections.tsx';
import { ShortcutKeys } from './ShortcutKeys.tsx';

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
      <PanelSections isNarrow={isNarrow} panels={panels} />
      <ShortcutKeys />
    </main>
  );
}
