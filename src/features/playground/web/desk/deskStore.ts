// The one store of the playground: plain data, changed only through the functions of actions.ts.
import { create } from 'zustand';
import { EMPTY_DESK, type Desk, type Pane } from './desk.ts';

/** Whether the conversations survive a reload; the page shows `problem`. */
export interface StorageState {
  readonly isLoaded: boolean;
  readonly problem: string | null;
  /** A reload solves the problem. */
  readonly isReloadNeeded?: boolean;
}

interface DeskState {
  readonly desk: Desk;
  /** The id that the desk is stored under; empty: it isn't stored. */
  readonly sessionId: string;
  readonly storage: StorageState;
}

export const useDesk = create<DeskState>(() => ({
  desk: EMPTY_DESK,
  sessionId: '',
  storage: { isLoaded: false, problem: null },
}));

export function readDesk(): Desk {
  return useDesk.getState().desk;
}

export function readSessionId(): string {
  return useDesk.getState().sessionId;
}

/** Replaces the session on show. */
export function showSession(sessionId: string, desk: Desk): void {
  useDesk.setState({ sessionId, desk });
}

/** Applies a pure step; a step that changes nothing notifies no subscriber. */
export function changeDesk(change: (desk: Desk) => Desk): void {
  const { desk } = useDesk.getState();
  const next = change(desk);
  if (next !== desk) useDesk.setState({ desk: next });
}

export function setStorage(patch: Partial<StorageState>): void {
  useDesk.setState((state) => ({ storage: { ...state.storage, ...patch } }));
}

/** A value of the pane; undefined once it has left the view. */
export function usePane<T>(paneId: string, select: (pane: Pane, desk: Desk) => T): T | undefined {
  return useDesk(({ desk }) => {
    const pane = desk.panes.find((each) => each.id === paneId);
    return pane && select(pane, desk);
  });
}
