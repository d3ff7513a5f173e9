// A list of what this browser stores, such as sessions, and what a person does with them. Refusals are shown.
import { useEffect, useState } from 'react';
import { showToast } from '#ui/kit/toast.ts';

interface StoredList<Item> {
  /** null: not read yet. */
  readonly items: readonly Item[] | null;
  readonly reload: () => void;
  /** Calls `onEnter` once it is open. A text is the reason why it can't be. */
  readonly enter: (opening: Promise<string | null>) => Promise<void>;
  readonly rename: (renaming: Promise<string | null>) => Promise<void>;
  readonly remove: (
    title: string,
    removing: Promise<{ readonly problem: string } | { readonly restore: () => Promise<void> }>,
  ) => Promise<void>;
}

const showProblem = (reason: string): void => showToast(reason, { tone: 'error' });

/** `list` must be stable. `kind`: "session". */
export function useStoredList<Item>(
  list: () => Promise<readonly Item[]>,
  kind: string,
  onEnter: () => void,
): StoredList<Item> {
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const [reload] = useState(
    () => () =>
      void list().then(setItems, () =>
        showProblem(`The stored ${kind}s could not be read. Reload the page to try again.`),
      ),
  );
  useEffect(() => {
    reload();
    // Other tabs may have closed or changed some in the meantime.
    const onReturn = () => document.hidden || reload();
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
    };
  }, [reload]);
  return {
    items,
    reload,
    async enter(opening) {
      const reason = await opening;
      if (reason === null) onEnter();
      else showProblem(reason);
    },
    async rename(renaming) {
      const reason = await renaming;
      if (reason !== null) showProblem(reason);
      reload();
    },
    async remove(title, removing) {
      const result = await removing.catch(() => ({
        problem: `The ${kind} could not be deleted. Reload the page to try again.`,
      }));
      if ('problem' in result) return showProblem(result.problem);
      const onSelect = () =>
        void result.restore().then(reload, () => showProblem(`There is no room to bring the ${kind} back.`));
      showToast(`“${title}” deleted`, { action: { label: 'Undo', onSelect } });
      return reload();
    },
  };
}
