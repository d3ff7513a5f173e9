// The code of a message's row, fetched when the composer is reached for: nothing has been said at first.
import { toPreloadedView } from '#web/ui/lazy/preloadedView.ts';
import { LoadErrorTurn } from './LoadErrorTurn.tsx';

export const turnRow = toPreloadedView(async () => (await import('./TurnRow.tsx')).TurnRow, LoadErrorTurn);
