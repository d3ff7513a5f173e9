// Follows the models of the address. What opening a model takes is loaded when one is opened.
import { showToast } from '#ui/kit/toast.ts';
import { showModels } from '#features/playground/web/desk/actions.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { toModels } from '#features/playground/web/desk/panes.ts';
import { readUrl } from '#ui/address/urlState.ts';

const NO_SETTINGS = 'The model’s own settings could not be loaded. Reload the page to try again.';

/** Brings the panes in line with the address. */
export function followModels(models: readonly string[]): void {
  const now = toModels(readDesk());
  const isSame = now.length === models.length && now.every((model, index) => model === models[index]);
  if (models.length === 0 || isSame || now.length === 0) showModels(models);
  if (models.length === 0 || isSame) return;
  import('./openModels.ts').then(
    ({ bringAllSettings, openModels }) => {
      if (now.length === 0) return bringAllSettings();
      if (readUrl().models === models) openModels(models);
      return undefined;
    },
    () => {
      showModels(models);
      showToast(NO_SETTINGS, { tone: 'bad' });
    },
  );
}
