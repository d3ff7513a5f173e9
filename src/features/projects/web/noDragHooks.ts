// Replaces react-dnd, whose hooks react-arborist calls for each row; a read-only tree drags nothing (vite.config.ts; 9
// KB of the first view). It must keep the names and shapes that react-arborist uses.
import type { ReactNode } from 'react';

const nothing = (): void => undefined;

export const DndProvider = ({ children }: { readonly children: ReactNode }): ReactNode => children;
export const useDragDropManager = () => ({ dispatch: nothing });
/** Collected props, and refs that ignore their element. */
export const useDrag = () => [{}, nothing, nothing] as const;
export const useDrop = () => [{}, nothing] as const;
export const useDragLayer = () => ({ offset: null, mouse: null, item: null, isDragging: false });
