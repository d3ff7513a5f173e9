// Which answers are shown as differences from another one: a view of the tab, not part of the conversation.
import { create } from 'zustand';

/** `against`: id of the answer it is measured with. */
export type TurnDiff = { readonly against: string } | 'off';

export interface DiffChoice {
  /** Panes all of whose answers are measured against the first pane's. */
  readonly panes: readonly string[];
  /** By turn; counts before the pane's. */
  readonly turns: Readonly<Record<string, TurnDiff>>;
}

export const useDiffChoice = create<DiffChoice>(() => ({ panes: [], turns: {} }));

/** null: as the pane is shown. */
export function chooseDiff(turnId: string, diff: TurnDiff | null): void {
  useDiffChoice.setState(({ turns }) => {
    const { [turnId]: _old, ...others } = turns;
    return { turns: diff === null ? others : { ...others, [turnId]: diff } };
  });
}

export function choosePaneDiff(paneId: string, isOn: boolean): void {
  useDiffChoice.setState(({ panes }) => ({
    panes: [...panes.filter((id) => id !== paneId), ...(isOn ? [paneId] : [])],
  }));
}
