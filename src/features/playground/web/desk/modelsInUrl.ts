// Writes the models of the panes on show to the address.
import { updateUrl } from '#ui/address/urlState.ts';
import { readDesk } from './deskStore.ts';

export const writeModels = (options: { readonly replace?: boolean } = {}): void =>
  updateUrl({ models: readDesk().panes.map((pane) => pane.model) }, options);
