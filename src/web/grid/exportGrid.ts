// Gives a grid to the person as a file. Long ones are written in parts, so that the page stays smooth.
import { downloadText } from '#web/ui/download.ts';
import { showToast } from '#web/ui/toast.ts';
import { toSavedText } from '#web/grid/cells/gridWords.ts';

/** Lets the page do what waits, typing and painting above all. */
const breathe = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

/** Downloads the parts as one file. At their end they give how many texts got an apostrophe against spreadsheets. */
export async function downloadParts(
  parts: Iterator<string, number, undefined>,
  name: string,
  type: string,
): Promise<void> {
  const texts: string[] = [];
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) {
    texts.push(part.value);
    await breathe();
  }
  downloadText(name, type, texts);
  showToast(toSavedText(name, part.value), { kind: 'grid-file' });
}
