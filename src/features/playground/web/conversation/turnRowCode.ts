// Loads the code of message rows when the composer takes the focus: at first there may be no messages.
import { toPreloadedView } from '#ui/lazy/preloadedView.ts';
import { LoadErrorTurn } from './LoadErrorTurn.tsx';

export const turnRow = toPreloadedView(async () => (await import('./TurnRow.tsx')).TurnRow, LoadErrorTurn);
