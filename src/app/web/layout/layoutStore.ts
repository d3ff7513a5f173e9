// Holds the layout and keeps it in this browser. Plain data; changing it is layout.ts.
import { create } from 'zustand';
import { keep, readKept } from '#ui/storage/keptText.ts';
import { COMMANDS, runCommand, type CommandName } from '#ui/commands/commands.ts';
import { toRowsAddress } from '#ui/address/gridAddress.ts';
import { isTableTab, selectNode } from '#ui/address/nodeTab.ts';
import { readUrl, updateUrl } from '#ui/address/urlState.ts';
import {
  chooseMode,
  DEFAULT_LAYOUT,
  fitWidth,
  parseLayout,
  showPanel,
  shownPanels,
  type Layout,
  type Mode,
} from './layout.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isObject, textOr } from '#core/contract/readJson.ts';
import { openDialog } from '#ui/commands/dialogs.ts';

const KEY = 'studio.layout';

/** `navigate`: by a link or the address bar. */
function toNavigationType(): unknown {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'type' in entry ? entry.type : undefined;
}

export const useLayout = create<Layout>(() => {
  // Outside a page there is neither a width nor an address.
  if (typeof window === 'undefined') return DEFAULT_LAYOUT;
  // Fitted before it is first shown, so that no panel moves.
  const { tab } = readUrl();
  const kept = parseLayout(readKept('localStorage', KEY));
  // A link names a tab to show it, also to a person who left the workspace closed. A reload keeps what was open.
  const isLink = tab !== null && toNavigationType() === 'navigate' && !shownPanels(kept).includes('workspace');
  const layout = isLink ? chooseMode(kept, 'decide', window.innerWidth) : fitWidth(kept, window.innerWidth);
  return { ...(isLink ? showPanel(layout, 'workspace') : layout), isTable: isTableTab(tab) };
});

/** Applies a change and keeps the result. */
export function changeLayout(change: (layout: Layout) => Layout): void {
  const last = useLayout.getState();
  const next = change(last);
  if (next === last) return;
  useLayout.setState(next);
  keep('localStorage', KEY, JSON.stringify(next));
}

/** Says what the workspace shows, so that a wide table has the room that it needs. */
export function showTab(tab: string | null): void {
  const isTable = isTableTab(tab);
  changeLayout((layout) => (layout.isTable === isTable ? layout : { ...layout, isTable }));
}

export function showMode(mode: Mode): void {
  changeLayout((layout) => chooseMode(layout, mode, window.innerWidth));
}

/** Shows the playground. One pane fits beside the workspace; several need the room. */
function showRoom(models: readonly string[]): void {
  if (models.length > 1) showMode('try');
  changeLayout((layout) => showPanel(layout, 'playground'));
}

/** Opens models in the chat, also where the playground had shown a grid. */
export function openInPlayground(models: readonly string[]): void {
  updateUrl({ models, grid: null });
  runCommand('chat');
  showRoom(models);
}

/** Opens models in the playground, with a prompt grid that takes the validation rows of a snapshot. */
export function checkOnHeldOut(models: readonly string[], snapshotId: string): void {
  updateUrl({ models, grid: toRowsAddress(snapshotId) });
  showRoom(models);
}

/** Shows one pane per model id in what the playground shows: the chat, or the grid with a column for each. */
export function showPanes(models: readonly string[]): void {
  updateUrl({ models });
  showRoom(models);
}

/** Opens models in the playground, with a validation prompt of the first in an empty message: the next press sends it. */
export function tryInPlayground(models: readonly string[]): void {
  openInPlayground(models);
  runCommand('example-prompt');
}

/** What was selected is shown, also where the workspace had left its room to the playground. */
export function showWorkspace(): void {
  if (!shownPanels(useLayout.getState()).includes('workspace')) showMode('decide');
  changeLayout((layout) => showPanel(layout, 'workspace'));
}

export function openJob(id: string): void {
  showWorkspace();
  selectNode({ id, type: 'finetuning-job' });
}

/** Shows the panel that a command acts in, and runs it. */
export function runInPanel(name: CommandName): void {
  const { panel } = COMMANDS[name];
  if (panel) changeLayout((layout) => showPanel(layout, panel));
  runCommand(name);
}

/** The model that answers with the weights of a run of a folder; empty: none does yet. */
export const toServedModel = ({ metadata }: TreeNode): string =>
  isObject(metadata['served']) ? textOr(metadata['model_id'], '') : '';

/** Opens the model of a run of a folder, or the ways to serve its weights. */
export function chatWith(node: TreeNode): void {
  const model = toServedModel(node);
  if (model === '') openDialog({ kind: 'run-chat', runId: node.id });
  else openInPlayground([model]);
}
