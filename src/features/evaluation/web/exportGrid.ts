// Downloads a grid as a file. Long files are written in slices, so that the page stays responsive.
import { downloadText } from '#ui/kit/download.ts';
import { runInSlices } from '#ui/timing/slices.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toSavedText } from '#features/evaluation/web/grid/gridWords.ts';

/** Downloads the parts as one file. The iterator returns how many texts got an apostrophe against spreadsheets. */
export async function downloadParts(
  parts: Iterator<string, number, undefined>,
  name: string,
  type: string,
): Promise<void> {
  const texts: string[] = [];
  const steps = {
    next() {
      const part = parts.next();
      if (part.done !== true) texts.push(part.value);
      return part;
    },
  };
  const guarded = await runInSlices(steps);
  downloadText(name, type, texts);
  showToast(toSavedText(name, guarded), { kind: 'grid-file' });
}
