// A file that is dropped anywhere on the page. Small: the first view has it.
import { useEffect } from 'react';
import { openDialog } from '#ui/commands/dialogs.ts';

/** Opens the dialog for a file: of rows, or of a whole project. */
export async function takeFile(file: File): Promise<void> {
  const [first, second] = new Uint8Array(
    await file
      .slice(0, 2)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  );
  // A project may have been given another name. Rows that were packed are told how to be unpacked.
  const isPacked = first === 0x1f && second === 0x8b && !/\.(jsonl|ndjson|json|csv|tsv|txt)\.gz$/i.test(file.name);
  // Some browsers unpack what they download.
  const isProject = isPacked || /\.project\.jsonl/i.test(file.name);
  openDialog({ kind: isProject ? 'import-project' : 'add-data', file });
}

/** Parts of the page that take files themselves, such as the prompt grid, have prevented the default by then. */
export function useFileDrop(): void {
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      // Without this the browser would open the file in place of the page.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const onDrop = (event: DragEvent): void => {
      const file = event.dataTransfer?.files[0];
      if (!file || event.defaultPrevented) return;
      event.preventDefault();
      void takeFile(file);
    };
    window.addEventListener('dragover', onDrag);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
}
