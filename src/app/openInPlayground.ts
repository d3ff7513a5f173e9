// The one way from the workspace into the playground: the address names the models, the panel comes on show.
import { updateUrl } from '../session/urlState';
import { showPanel } from './layout';
import { changeLayout } from './layoutStore';

/** One pane per model id. */
export function openInPlayground(models: readonly string[]): void {
  updateUrl({ models });
  changeLayout((layout) => showPanel(layout, 'playground'));
}
