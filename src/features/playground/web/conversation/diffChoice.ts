// Which answers show their differences from another one. A choice of the tab, not part of the conversation.
import { create } from 'zustand';

/** `against`: id of the answer that this one is compared with. */
export type TurnDiff = { readonly against: string } | 'off';

export interface DiffChoice {
  /** Panes whose answers are all compared with those of the first pane. */
  readonly panes: readonly string[];
  /** By turn; overrides the choice of its pane. */
  readonly turns: Readonly<Record<string, TurnDiff>>;
}

export const useDiffChoice = create<DiffChoice>(() => ({ panes: [], turns: {} }));

/** null: follow the choice of the pane. */
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
