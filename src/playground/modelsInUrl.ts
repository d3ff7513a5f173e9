// The models of the panes on show, written to the address. It must not know how panes come and go.
import { updateUrl } from '../session/urlState';
import { readDesk } from './deskStore';

export const writeModels = (options: { readonly replace?: boolean } = {}): void => updateUrl({ models: readDesk().panes.map((pane) => pane.model) }, options);
