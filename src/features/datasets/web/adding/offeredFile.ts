// The file that was dropped on the page, until the dialog takes it. Small: the first view has it.
import { create } from 'zustand';

const useStore = create<{ readonly file: File | null }>(() => ({ file: null }));

export const offerFile = (file: File | null): void => useStore.setState({ file });

export const useOfferedFile = (): File | null => useStore(({ file }) => file);
