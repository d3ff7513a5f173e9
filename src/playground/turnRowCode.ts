// The code of a message's row, fetched when the composer is reached for: nothing has been said at first.
// It must not know what is in it.
import { toEarlyView } from '../ui/earlyView';
import { LostTurn } from './LostTurn';

export const turnRow = toEarlyView(async () => (await import('./TurnRow')).TurnRow, LostTurn);
