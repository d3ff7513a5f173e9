// Texts of rows that are being edited and not saved yet, while the page is open: no other row and no closed dialog loses
// them.
import { formatCount } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';

const drafts = new Map<string, string>();

export interface RowDraft {
  /** undefined: there is none. */
  read(): string | undefined;
  write(text: string): void;
  forget(): void;
  /** Says that it is kept, when its editor goes. */
  leave(): void;
}

/** `position`: null for a row that is to be added. */
export function rowDraft(datasetId: string, position: number | null): RowDraft {
  const key = `${datasetId}/${position}`;
  return {
    read: () => drafts.get(key),
    write: (text) => void drafts.set(key, text),
    forget: () => void drafts.delete(key),
    leave() {
      if (!drafts.has(key)) return;
      const [what, where] =
        position === null
          ? ['The new row', 'Press “Add a row” again']
          : [`The change of row ${formatCount(position + 1)}`, 'Open the row again'];
      showToast(`${what} is not saved. ${where} to go on with it.`);
    },
  };
}
