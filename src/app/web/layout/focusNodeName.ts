// Moves the focus to the name of the selected node.
import { NODE_NAME_ID } from './nodeWords.ts';

/** Some seconds: its code may still be on its way. */
const MOST_FRAMES = 600;

/** Where the page was before has no meaning any more: keys go on from what was gone to, unless a person goes elsewhere first. */
export function focusNodeName(): void {
  const elsewhere = new AbortController();
  const { signal } = elsewhere;
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, () => elsewhere.abort(), { capture: true, signal });
  const look = (left: number): void =>
    void requestAnimationFrame(() => {
      if (signal.aborted) return;
      const name = document.getElementById(NODE_NAME_ID);
      if (name === null && left > 0) return look(left - 1);
      elsewhere.abort();
      name?.focus();
    });
  look(MOST_FRAMES);
}
