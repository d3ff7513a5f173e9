// Stands in for react-dnd, whose hooks react-arborist calls for each row; a tree that is only read drags nothing
// (vite.config.ts; 9 KB of the first view). It must keep the names and shapes of what react-arborist uses.
import type { ReactNode } from 'react';

const nothing = (): void => undefined;

export const DndProvider = ({ children }: { readonly children: ReactNode }): ReactNode => children;
export const useDragDropManager = () => ({ dispatch: nothing });
/** What was collected, and refs that take an element and do nothing with it. */
export const useDrag = () => [{}, nothing, nothing] as const;
export const useDrop = () => [{}, nothing] as const;
export const useDragLayer = () => ({ offset: null, mouse: null, item: null, isDragging: false });
