// Writes an example of a model that was just opened into an empty message, so that the next press sends it.
import { readUrl } from '#ui/address/urlState.ts';
import { changeDesk, readDesk, useDesk } from '#features/playground/web/desk/deskStore.ts';
import { loadExamples } from '#features/playground/web/desk/examplesSource.ts';
import { toModels } from '#features/playground/web/desk/panes.ts';

/** Opening a model may wait for the examples of the one before. */
const MAX_WAIT_MS = 10_000;

/** Resolves to whether panes of these models are on show, which may take a session of their own. */
async function waitForPanes(models: readonly string[]): Promise<boolean> {
  const isShown = (): boolean => useDesk.getState().storage.isLoaded && toModels(readDesk()).join() === models.join();
  if (isShown()) return true;
  return new Promise((resolve) => {
    const end = (isOpen: boolean): void => {
      clearTimeout(late);
      stop();
      resolve(isOpen);
    };
    const late = setTimeout(() => end(false), MAX_WAIT_MS);
    const stop = useDesk.subscribe(() => isShown() && end(true));
  });
}

/** A message that a person has begun stays. Models without examples leave the message empty. */
export async function writeExamplePrompt(): Promise<void> {
  const { models } = readUrl();
  const [examples, isOpen] = await Promise.all([loadExamples(models[0] ?? ''), waitForPanes(models)]);
  const [prompt] = examples?.prompts ?? [];
  if (!isOpen || prompt === undefined || readUrl().models.join() !== models.join()) return;
  changeDesk((desk) => (desk.draft.trim() === '' ? { ...desk, draft: prompt } : desk));
}
