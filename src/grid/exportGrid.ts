// Gives a grid to the person as a file. Long ones are written in parts, so that the page stays smooth.
// It must not know how the text is made.
import { downloadText } from '../ui/download';
import { showToast } from '../ui/toast';

/** Lets the page do what waits, typing and painting above all. */
const breathe = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

/** Downloads the parts as one file. */
export async function downloadParts(parts: Iterable<string>, name: string, type: string): Promise<void> {
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(part);
    await breathe();
  }
  downloadText(name, type, texts);
  showToast(`${name} saved`, { kind: 'grid-file' });
}
