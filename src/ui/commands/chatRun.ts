// The run of a folder that somebody wants to chat with. Its dialog opens from the tree, whose menu is gone by then, from
// the table and from the palette. Small: the first view has it.
import { create } from 'zustand';

const useStore = create<{ readonly id: string | null }>(() => ({ id: null }));

/** Opens the dialog with the saved weights of a run; null closes it. */
export const chatWithRun = (id: string | null): void => useStore.setState({ id });

export const useChatRun = (): string | null => useStore(({ id }) => id);
