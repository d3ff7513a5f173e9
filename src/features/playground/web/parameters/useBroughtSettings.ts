import { useQuery } from '@tanstack/react-query';
import { createContext, useMemo } from 'react';
import { examplesQuery } from '#ui/client/queries.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { toModelSettings } from '#features/playground/web/desk/modelSettings.ts';
import type { Settings } from '#features/playground/web/desk/settings.ts';

/** Those of the pane, asked for once for all of its rows. */
export const BroughtSettings = createContext<readonly Settings[]>([]);

/** What the pane's model brings, and what the first pane's model brings, which linked panes share. */
export function useBroughtSettings(paneId: string): readonly Settings[] {
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const firstModel = usePane(paneId, (_pane, desk) => desk.panes[0]?.model) ?? '';
  const own = useQuery(examplesQuery(model)).data ?? null;
  const first = useQuery(examplesQuery(firstModel)).data ?? null;
  return useMemo(() => [own, first].map(toModelSettings), [own, first]);
}
