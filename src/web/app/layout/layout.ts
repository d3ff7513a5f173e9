// Which panels are visible and how wide they are, as plain data. Pure; stored text is never trusted.
import { isObject, numberOr } from '#shared/contract/reading.ts';

export const PANELS = ['tree', 'workspace', 'playground'] as const;
export type PanelName = (typeof PANELS)[number];

export const PANEL_LABELS: Record<PanelName, string> = {
  tree: 'Tree',
  workspace: 'Workspace',
  playground: 'Playground',
};

type Sizes = Readonly<Record<PanelName, number>>;

export interface Layout {
  /** Relative widths; they need not add up to anything, since hidden panels keep theirs. */
  readonly sizes: Sizes;
  /** Never empty. */
  readonly visible: readonly PanelName[];
  /** The visible panel where there is room for only one. */
  readonly front: PanelName;
}

/** For one pane: what the workspace shows has the room. */
const USUAL: Sizes = { tree: 20, workspace: 47, playground: 33 };
/** For several panes: two stand side by side in a window of 1,440 px. */
const USUAL_FOR_PANES: Sizes = { tree: 20, workspace: 32, playground: 48 };

export const DEFAULT_LAYOUT: Layout = {
  sizes: USUAL,
  visible: PANELS,
  front: 'workspace',
};

/** No stored panel is narrower than this, in percent. */
const MIN_SIZE = 5;

function isPanelName(value: unknown): value is PanelName {
  return PANELS.some((name) => name === value);
}

/** Parses a stored layout; damaged fields get their defaults. */
export function parseLayout(text: string | null): Layout {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return DEFAULT_LAYOUT;
  }
  if (!isObject(stored)) return DEFAULT_LAYOUT;
  const { sizes, visible, front } = stored;
  const size = (name: PanelName) => {
    const width = isObject(sizes) ? numberOr(sizes[name], 0) : 0;
    return width >= MIN_SIZE && width <= 100 ? width : DEFAULT_LAYOUT.sizes[name];
  };
  const shown = Array.isArray(visible) ? PANELS.filter((name) => visible.includes(name)) : PANELS;
  return {
    sizes: { tree: size('tree'), workspace: size('workspace'), playground: size('playground') },
    visible: shown.length > 0 ? shown : PANELS,
    front: isPanelName(front) ? front : DEFAULT_LAYOUT.front,
  };
}

/** The first visible panel of this list gets the room of hidden ones. The tree needs no more than it has. */
const TAKERS = ['workspace', 'playground', 'tree'] as const;

const sumOf = (layout: Layout, names: readonly PanelName[]): number =>
  names.reduce((total, name) => total + layout.sizes[name], 0);

/** Percentages that add up to 100; hidden panels have 0. */
export function toPercentages(layout: Layout): Record<PanelName, number> {
  const { sizes, visible } = layout;
  const all = sumOf(layout, PANELS);
  const taker = TAKERS.find((name) => visible.includes(name));
  const share = (name: PanelName) => {
    if (!visible.includes(name)) return 0;
    const extra = name === taker ? all - sumOf(layout, visible) : 0;
    return (100 * (sizes[name] + extra)) / all;
  };
  return { tree: share('tree'), workspace: share('workspace'), playground: share('playground') };
}

/** Adopts dragged widths. A panel that was dragged shut is hidden; hidden panels keep their last width. */
export function reduceSizes(layout: Layout, percentages: Readonly<Record<string, number>>): Layout {
  const visible = PANELS.filter((name) => (percentages[name] ?? 0) > 0);
  if (visible.length === 0) return layout;
  const all = sumOf(layout, PANELS);
  const kept = (name: PanelName) => (100 * layout.sizes[name]) / all;
  const hidden = PANELS.filter((name) => !visible.includes(name)).reduce((total, name) => total + kept(name), 0);
  const taker = TAKERS.find((name) => visible.includes(name));
  const width = (name: PanelName) => {
    if (!visible.includes(name)) return kept(name);
    return name === taker ? Math.max(MIN_SIZE, (percentages[name] ?? 0) - hidden) : (percentages[name] ?? 0);
  };
  return {
    ...layout,
    visible,
    sizes: { tree: width('tree'), workspace: width('workspace'), playground: width('playground') },
  };
}

/** Shows or hides a panel; the last visible one stays. */
export function togglePanel(layout: Layout, name: PanelName): Layout {
  const visible = PANELS.filter((other) =>
    other === name ? !layout.visible.includes(name) : layout.visible.includes(other),
  );
  return visible.length === 0 ? layout : { ...layout, visible };
}

/** Gives a panel the whole window. */
export function onlyPanel(layout: Layout, name: PanelName): Layout {
  return { ...layout, visible: [name], front: name };
}

const isSame = (one: Sizes, other: Sizes): boolean => PANELS.every((name) => one[name] === other[name]);

/** Gives the playground the room that this many panes (0: unknown) usually need. Widths that a person chose stay. */
export function fitPanes(layout: Layout, paneCount: number): Layout {
  const [from, to] = paneCount > 1 ? [USUAL, USUAL_FOR_PANES] : [USUAL_FOR_PANES, USUAL];
  return paneCount > 0 && isSame(layout.sizes, from) ? { ...layout, sizes: to } : layout;
}

/** Shows a panel beside the others, and in front where there is room for only one. */
export function showPanel(layout: Layout, name: PanelName): Layout {
  return {
    ...layout,
    visible: PANELS.filter((other) => other === name || layout.visible.includes(other)),
    front: name,
  };
}

/** A person works in this panel, so it stays visible when the window becomes too narrow for more. */
export const markUsed = (layout: Layout, name: PanelName): Layout =>
  layout.front === name ? layout : { ...layout, front: name };
