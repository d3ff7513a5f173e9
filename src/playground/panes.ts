// Which panes there are: the list of models in the address turned into panes, keeping conversations.
// It must not know how the address is read or written.
import { MAX_MODELS } from '../session/urlState';
import { toPane, type Desk, type Pane } from './desk';

/** Conversations kept for panes that left the view. */
const MAX_PARKED = 24;

export function toModels(desk: Desk): readonly string[] {
  return desk.panes.map((pane) => pane.model);
}

function isSame(panes: readonly Pane[], models: readonly string[]): boolean {
  return panes.length === models.length && panes.every((pane, index) => pane.model === models[index]);
}

/** Panes with a conversation are set aside instead of dropped, the newest first. */
function park(parked: readonly Pane[], leaving: readonly Pane[]): readonly Pane[] {
  const kept = leaving.filter((pane) => pane.turns.length > 0 && pane.model !== '');
  return kept.length === 0 ? parked : [...kept, ...parked].slice(0, MAX_PARKED);
}

/**
 * The desk with one pane per model. A model that already has a pane keeps it (the one at the same place first), one
 * that had a pane gets it back with its conversation, any other gets a new pane. The same models change nothing.
 */
export function toDesk(desk: Desk, models: readonly string[], makeId: () => string): Desk {
  const wanted = models.slice(0, MAX_MODELS);
  if (isSame(desk.panes, wanted)) return desk;
  const free = new Set(desk.panes);
  const stored = new Set(desk.parked);
  const found: (Pane | undefined)[] = wanted.map((model, index) => {
    const pane = desk.panes[index];
    if (pane?.model !== model) return undefined;
    free.delete(pane);
    return pane;
  });
  const take = (from: Set<Pane>, model: string): Pane | undefined => {
    const pane = [...from].find((each) => each.model === model);
    if (pane) from.delete(pane);
    return pane;
  };
  const panes = wanted.map((model, index) => found[index] ?? take(free, model) ?? take(stored, model) ?? toPane(makeId(), model));
  return { ...desk, panes, parked: park([...stored], [...free]) };
}

export function addPane(desk: Desk, model: string, id: string): Desk {
  return desk.panes.length >= MAX_MODELS ? desk : { ...desk, panes: [...desk.panes, toPane(id, model)] };
}

/** The last pane can't be closed; its conversation is parked. */
export function closePane(desk: Desk, paneId: string): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane || desk.panes.length < 2) return desk;
  return { ...desk, panes: desk.panes.filter((each) => each !== pane), parked: park(desk.parked, [pane]) };
}
