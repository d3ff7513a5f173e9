import { createContext } from 'react';

/** Where the foot of the dialog around it is; null: it is not drawn yet, or there is no dialog. */
export const FootSlot = createContext<HTMLElement | null>(null);
