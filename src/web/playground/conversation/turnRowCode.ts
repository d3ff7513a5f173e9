// The code of a message's row, fetched when the composer is reached for: nothing has been said at first.
import { toEarlyView } from '#web/ui/lazy/earlyView.ts';
import { LostTurn } from './LostTurn.tsx';

export const turnRow = toEarlyView(async () => (await import('./TurnRow.tsx')).TurnRow, LostTurn);
