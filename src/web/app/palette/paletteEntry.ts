// One thing that the command palette can do, and the lists that are known without a search.
import type { ModelEntry } from '#shared/contract/completion.ts';
import type { ProjectSummary } from '#shared/contract/tree.ts';
import { runCommand, type PlaygroundCommand } from '#web/session/commands.ts';
import { chooseTheme, type Theme } from '#web/session/theme.ts';
import { linkTo, MAX_MODELS, readUrl, toProject, updateUrl } from '#web/session/urlState.ts';
import { runTreeCommand } from '#web/tree/treeCommands.ts';
import { writeClipboard } from '#web/ui/clipboard.ts';
import { showToast } from '#web/ui/toast.ts';
import { PANEL_LABELS, PANELS, showPanel, togglePanel, type Layout, type PanelName } from '#web/app/layout/layout.ts';
import { changeLayout, openInPlayground } from '#web/app/layout/layoutStore.ts';

export interface PaletteEntry {
  readonly key: string;
  readonly label: string;
  /** Stands behind the label, and is searched too. */
  readonly hint: string;
  readonly onSelect: () => void;
}

/** Lower case, the label on the first line: what paletteRank searches. */
export function toEntryText({ label, hint }: PaletteEntry): string {
  return `${label}\n${hint}`.toLowerCase();
}

/** Adds a pane to those in the address; an empty text is a pane without a model yet. */
function addPane(model: string): void {
  const { models } = readUrl();
  const shown = models.length === 0 ? [''] : models;
  if (shown.length >= MAX_MODELS) showToast(`There are ${MAX_MODELS} panes already. Close one to add another.`);
  // A model takes the place of the one pane that has none yet.
  else openInPlayground(model !== '' && shown.every((other) => other === '') ? [model] : [...shown, model]);
}

export function toModelEntries(models: readonly ModelEntry[]): readonly PaletteEntry[] {
  return models.flatMap(({ id }) => [
    { key: `open ${id}`, label: id, hint: 'Open in playground', onSelect: () => openInPlayground([id]) },
    { key: `add ${id}`, label: id, hint: 'Add as pane', onSelect: () => addPane(id) },
  ]);
}

async function copyLink(): Promise<void> {
  const isDone = await writeClipboard(new URL(linkTo({}), window.location.href).href);
  if (isDone) showToast('Copied the link to this view.');
  else showToast('The browser did not allow copying. Copy the address from the address bar.', { tone: 'bad' });
}

const TABS = [
  ['recommendations', 'Recommendations'],
  ['experiments', 'Experiments'],
  ['compare', 'Compare'],
  ['detail', 'Detail'],
] as const;

const COMMANDS: readonly (readonly [PlaygroundCommand, label: string])[] = [
  ['new-session', 'New session'],
  ['sessions', 'Sessions'],
  ['presets', 'Presets'],
  ['share', 'Share this session'],
  ['examples', 'Training examples'],
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
  changeLayout((layout) => showPanel(layout, name));
  change();
};

function toPanelEntries(layout: Layout, isNarrow: boolean): readonly PaletteEntry[] {
  if (!isNarrow)
    return PANELS.filter((name) => layout.visible.length > 1 || !layout.visible.includes(name)).map((name) =>
      toPanelEntry(name, layout),
    );
  return PANELS.filter((name) => name !== layout.front).map((name) => ({
    key: `panel ${name}`,
    label: `Show ${PANEL_LABELS[name].toLowerCase()} panel`,
    hint: 'Layout',
    onSelect: () => changeLayout((last) => showPanel(last, name)),
  }));
}

function toPanelEntry(name: PanelName, layout: Layout): PaletteEntry {
  const isShown = layout.visible.includes(name);
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
    ...TABS.map(([tab, label]) =>
      entry(
        `Show ${label}`,
        'Tab of the workspace',
        onPanel('workspace', () => updateUrl({ tab })),
      ),
    ),
    entry('Copy link to this view', 'Selection, tab, filter, comparison and panes', () => void copyLink()),
    entry('Add pane', 'Playground', () => addPane('')),
    ...COMMANDS.map(([command, label]) =>
      entry(
        label,
        'Playground',
        onPanel('playground', () => runCommand(command)),
      ),
    ),
    entry('Keyboard shortcuts', 'Help', () => runCommand('shortcuts')),
    entry(
      'Expand all',
      'Tree',
      onPanel('tree', () => runTreeCommand('expand-all')),
    ),
    entry(
      'Collapse all',
      'Tree',
      onPanel('tree', () => runTreeCommand('collapse-all')),
    ),
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
