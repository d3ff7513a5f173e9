// One thing that the command palette can do, and the lists that are known without a search.
import type { ProjectSummary } from '#core/contract/tree.ts';
import { COMMAND_NAMES, COMMANDS } from '#ui/commands/commands.ts';
import { TAB_LABELS, type TabName } from '#ui/address/nodeTab.ts';
import { chooseTheme, type Theme } from '#ui/kit/theme.ts';
import { linkTo, MAX_MODELS, readUrl, toProject, updateUrl } from '#ui/address/urlState.ts';
import { showActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  PANEL_LABELS,
  PANELS,
  showPanel,
  shownPanels,
  togglePanel,
  type Layout,
  type PanelName,
} from '#app/web/layout/layout.ts';
import { changeLayout, runInPanel, showPanes, showWorkspace } from '#app/web/layout/layoutStore.ts';

// Goes to the export of the tab that is about to be shown.

/** A tab whose data takes longer is left alone: the person went on meanwhile. */
const WAIT_MS = 5_000;

const findExport = (): HTMLElement | null =>
  document.querySelector('[role="tabpanel"]:not([hidden]) [data-export] button');

/** Focuses the first export button of the workspace as soon as it is there. */
function focusExport(): void {
  const observer = new MutationObserver(() => focusIfThere());
  const timer = setTimeout(() => observer.disconnect(), WAIT_MS);
  const focusIfThere = (): void => {
    const button = findExport();
    if (button === null) return;
    clearTimeout(timer);
    observer.disconnect();
    button.scrollIntoView({ block: 'nearest' });
    button.focus();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  // The tab of before is still there in this step.
  requestAnimationFrame(focusIfThere);
}

export interface PaletteEntry {
  readonly key: string;
  readonly label: string;
  /** Stands behind the label, and is searched too. */
  readonly hint: string;
  readonly onSelect: () => void;
  /** With Shift. */
  readonly onAdd?: () => void;
}

/** Lower case, the label on the first line: what paletteRank searches. */
export function toEntryText({ label, hint }: PaletteEntry): string {
  return `${label}\n${hint}`.toLowerCase();
}

/** Adds a pane to those in the address; an empty text is a pane without a model yet. */
export function addPane(model: string): void {
  const { models } = readUrl();
  const shown = models.length === 0 ? [''] : models;
  if (shown.length >= MAX_MODELS) showToast(`There are ${MAX_MODELS} panes already. Close one to add another.`);
  // A model takes the place of the one pane that has none yet.
  else showPanes(model !== '' && shown.every((other) => other === '') ? [model] : [...shown, model]);
}

async function copyLink(): Promise<void> {
  const isDone = await writeClipboard(new URL(linkTo({}), window.location.href).href);
  if (isDone) showToast('Copied the link to this view.');
  else showToast('The browser did not allow copying. Copy the address from the address bar.', { tone: 'error' });
}

const EXPORTS: readonly (readonly [TabName, label: string])[] = [
  ['recommendations', 'Export recommendations'],
  ['experiments', 'Export runs'],
  ['compare', 'Export comparison'],
];

interface PageState {
  readonly theme: Theme;
  readonly layout: Layout;
  readonly projects: readonly ProjectSummary[];
  readonly projectId: string | null;
  readonly isFiltered: boolean;
  /** One panel at a time. */
  readonly isNarrow: boolean;
}

const onPanel = (name: PanelName, change: () => void) => () => {
  if (name === 'workspace') showWorkspace();
  else changeLayout((layout) => showPanel(layout, name));
  change();
};

function toPanelEntries(layout: Layout, isNarrow: boolean): readonly PaletteEntry[] {
  const shown = shownPanels(layout);
  if (!isNarrow)
    return PANELS.filter((name) => shown.length > 1 || !shown.includes(name)).map((name) =>
      toPanelEntry(name, shown.includes(name)),
    );
  return PANELS.filter((name) => name !== layout.front).map((name) => ({
    key: `panel ${name}`,
    label: `Show ${PANEL_LABELS[name].toLowerCase()} panel`,
    hint: 'Layout',
    onSelect: () => changeLayout((last) => showPanel(last, name)),
  }));
}

function toPanelEntry(name: PanelName, isShown: boolean): PaletteEntry {
  return {
    key: `panel ${name}`,
    label: `${isShown ? 'Hide' : 'Show'} ${PANEL_LABELS[name].toLowerCase()} panel`,
    hint: 'Layout',
    onSelect: () => changeLayout((last) => (isShown ? togglePanel(last, name) : showPanel(last, name))),
  };
}

/** What can be done on this page, as it is now. */
export function toActionEntries({
  theme,
  layout,
  projects,
  projectId,
  isFiltered,
  isNarrow,
}: PageState): readonly PaletteEntry[] {
  const entry = (label: string, hint: string, onSelect: () => void): PaletteEntry => ({
    key: label,
    label,
    hint,
    onSelect,
  });
  return [
    ...Object.entries(TAB_LABELS).map(([tab, label]) =>
      entry(
        `Show ${label}`,
        'Tab of the workspace',
        onPanel('workspace', () => updateUrl({ tab })),
      ),
    ),
    entry('Copy link to this view', 'Selection, tab, filter, comparison and panes', () => void copyLink()),
    entry('Add pane', 'Playground', () => addPane('')),
    ...EXPORTS.map(([tab, label]) =>
      entry(
        label,
        'Trainer configs, CSV, JSON',
        onPanel('workspace', () => {
          updateUrl({ tab });
          focusExport();
        }),
      ),
    ),
    ...COMMAND_NAMES.filter((name) => name !== layout.mode).map((name) =>
      entry(COMMANDS[name].label, COMMANDS[name].hint, () => runInPanel(name)),
    ),
    ...(projectId === null
      ? []
      : [
          entry(
            'Show activity',
            'What changed on this page and since your last visit',
            onPanel('tree', () => showActivity(projectId, true)),
          ),
        ]),
    ...(isFiltered ? [entry('Clear filter', 'Tree', () => updateUrl({ q: null, status: [] }))] : []),
    ...toPanelEntries(layout, isNarrow),
    entry(theme.isDark ? 'Use light theme' : 'Use dark theme', 'Toggle theme', () =>
      chooseTheme(theme.isDark ? 'light' : 'dark'),
    ),
    ...(theme.choice === 'system' ? [] : [entry('Use the theme of the system', 'Theme', () => chooseTheme('system'))]),
    ...projects
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) => ({
        key: `project ${id}`,
        label: `Go to project ${name}`,
        hint: id,
        onSelect: () => updateUrl(toProject(id)),
      })),
    entry('Open API reference', 'In a new tab', () => void window.open('/reference', '_blank', 'noopener')),
  ];
}
