// Follows the models of the address.
import { showModels } from '#features/playground/web/desk/actions.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { toModels } from '#features/playground/web/desk/panes.ts';
import { bringAllSettings, openModels } from './openModels.ts';

/** Brings the panes in line with the address. */
export function followModels(models: readonly string[]): void {
  const now = toModels(readDesk());
  const isSame = now.length === models.length && now.every((model, index) => model === models[index]);
  if (models.length === 0 || isSame || now.length === 0) showModels(models);
  if (models.length === 0 || isSame) return;
  if (now.length === 0) void bringAllSettings();
  else openModels(models);
}
