// Which panels are visible and how wide they are, as plain data. Pure; stored text is never trusted.
import { isObject, numberOr, parseJson } from '#core/contract/readJson.ts';

export const PANELS = ['tree', 'workspace', 'playground'] as const;
export type PanelName = (typeof PANELS)[number];

export const PANEL_LABELS: Record<PanelName, string> = {
  tree: 'Tree',
  workspace: 'Workspace',
  playground: 'Playground',
};

/** decide: read and compare, so the workspace has the room. try: prompt, so the playground has it. */
export const MODES = ['decide', 'try'] as const;
export type Mode = (typeof MODES)[number];

export const MODE_LABELS: Record<Mode, string> = { decide: 'Decide', try: 'Try' };

type Sizes = Readonly<Record<PanelName, number>>;

interface Arrangement {
  /** Relative widths; they need not add up to anything, since hidden panels keep theirs. */
  readonly sizes: Sizes;
  /** Never empty. */
  readonly visible: readonly PanelName[];
  /** A person chose it. If not, it follows the width of the window. */
  readonly isOwn: boolean;
}

export interface Layout extends Arrangement {
  readonly mode: Mode;
  /** How the panels are arranged in the other mode. */
  readonly other: Arrangement;
  /** The visible panel where there is room for only one. */
  readonly front: PanelName;
  /** The workspace shows a table of runs, curves or a comparison. Not stored. */
  readonly isTable: boolean;
  /** A person opened the playground beside these, which have its room otherwise. */
  readonly isBesideTables: boolean;
}

const USUAL_SIZES: Readonly<Record<Mode, Sizes>> = {
  decide: { tree: 20, workspace: 54, playground: 26 },
  try: { tree: 18, workspace: 40, playground: 42 },
};

/** In a small window the names of runs stay readable in the tree. */
const SMALL_SIZES: Sizes = { tree: 27, workspace: 40, playground: 33 };

/** Window widths in pixels from which on the usual sizes leave every panel readable. */
const ROOM: Readonly<Record<Mode, number>> = { decide: 1_280, try: 1_300 };

/** `width`: of the window in pixels; 0: not known yet. */
function toUsual(mode: Mode, width: number): Arrangement {
  const hasRoom = width === 0 || width >= ROOM[mode];
  const deciding: readonly PanelName[] = hasRoom ? PANELS : ['tree', 'workspace'];
  return {
    sizes: hasRoom ? USUAL_SIZES[mode] : SMALL_SIZES,
    visible: mode === 'decide' ? deciding : ['tree', 'playground'],
    isOwn: false,
  };
}

export const DEFAULT_LAYOUT: Layout = {
  ...toUsual('decide', 0),
  mode: 'decide',
  other: toUsual('try', 0),
  front: 'workspace',
  isTable: false,
  isBesideTables: false,
};

const toOther = (mode: Mode): Mode => (mode === 'decide' ? 'try' : 'decide');

/** No stored panel is narrower than this, in percent. */
const MIN_SIZE = 5;

function isPanelName(value: unknown): value is PanelName {
  return PANELS.some((name) => name === value);
}

/** The usual widths of an older version, in the order of the panels. Nobody chose these. */
const FORMER_SIZES: ReadonlySet<string> = new Set(['20,47,33', '20,32,48']);

/** Whether a person chose an arrangement that an older version stored. It marked none. */
function isChosenBefore(sizes: unknown, visible: unknown): boolean {
  const isUsualSize = !isObject(sizes) || FORMER_SIZES.has(PANELS.map((name) => sizes[name]).join(','));
  const isAllVisible = !Array.isArray(visible) || PANELS.every((name) => visible.includes(name));
  return !isUsualSize || !isAllVisible;
}

function parseArrangement(stored: unknown, mode: Mode): Arrangement {
  const usual = toUsual(mode, 0);
  if (!isObject(stored)) return usual;
  const { sizes, visible, isOwn } = stored;
  if (isOwn !== true && (isOwn !== undefined || !isChosenBefore(sizes, visible))) return usual;
  const size = (name: PanelName) => {
    const width = isObject(sizes) ? numberOr(sizes[name], 0) : 0;
    return width >= MIN_SIZE && width <= 100 ? width : usual.sizes[name];
  };
  const shown = Array.isArray(visible) ? PANELS.filter((name) => visible.includes(name)) : [];
  return {
    sizes: { tree: size('tree'), workspace: size('workspace'), playground: size('playground') },
    visible: shown.length > 0 ? shown : usual.visible,
    isOwn: true,
  };
}

/** Parses a stored layout; damaged fields get their defaults. */
export function parseLayout(text: string | null): Layout {
  const stored = parseJson(text ?? 'null');
  if (!isObject(stored)) return DEFAULT_LAYOUT;
  const mode = MODES.find((name) => name === stored['mode']) ?? DEFAULT_LAYOUT.mode;
  return {
    ...parseArrangement(stored, mode),
    mode,
    other: parseArrangement(stored['other'], toOther(mode)),
    front: isPanelName(stored['front']) ? stored['front'] : DEFAULT_LAYOUT.front,
    isTable: false,
    isBesideTables: stored['isBesideTables'] === true,
  };
}

const isSameList = (one: readonly PanelName[], other: readonly PanelName[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name));

/** Lets an arrangement that nobody chose follow the width of the window. */
export function fitWidth(layout: Layout, width: number): Layout {
  if (layout.isOwn) return layout;
  const usual = toUsual(layout.mode, width);
  const isUsual = isSameList(usual.visible, layout.visible) && usual.sizes === layout.sizes;
  return isUsual ? layout : { ...layout, ...usual };
}

/** Goes to a mode, in the arrangement that it was left in. */
export function chooseMode(layout: Layout, mode: Mode, width: number): Layout {
  const front = mode === 'decide' ? 'workspace' : 'playground';
  if (mode === layout.mode) return layout.front === front ? layout : { ...layout, front };
  const { sizes, visible, isOwn, other } = layout;
  return fitWidth({ ...layout, ...other, mode, other: { sizes, visible, isOwn }, front }, width);
}

/** The usual arrangement of the current mode. */
export function resetLayout(layout: Layout, width: number): Layout {
  return { ...layout, ...toUsual(layout.mode, width) };
}

/** The panels on show: beside tables and curves the playground is folded to its rail until a person opens it there. */
export function shownPanels({ visible, mode, isTable, isBesideTables }: Layout): readonly PanelName[] {
  const isFolded = isTable && !isBesideTables && mode === 'decide' && visible.includes('workspace');
  return isFolded ? visible.filter((name) => name !== 'playground') : visible;
}

/** Shows these panels, as a person asked. A playground closed beside a table stays open beside the rest. */
function showPanels(layout: Layout, shown: readonly PanelName[]): Layout {
  const { visible, isTable, mode } = layout;
  if (!isTable || mode === 'try') return { ...layout, visible: shown, isOwn: true };
  const isBesideTables = shown.includes('playground');
  const isFolded = !isBesideTables && shown.length > 1 && visible.includes('playground');
  return { ...layout, visible: isFolded ? [...shown, 'playground'] : shown, isOwn: true, isBesideTables };
}

/** The first visible panel of this list gets the room of hidden ones. The tree needs no more than it has. */
const TAKERS = ['workspace', 'playground', 'tree'] as const;

const sumOf = (layout: Layout, names: readonly PanelName[]): number =>
  names.reduce((total, name) => total + layout.sizes[name], 0);

/** Percentages that add up to 100; hidden panels have 0. */
export function toPercentages(layout: Layout): Record<PanelName, number> {
  const { sizes } = layout;
  const visible = shownPanels(layout);
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
  const dragged = { tree: width('tree'), workspace: width('workspace'), playground: width('playground') };
  return { ...showPanels(layout, visible), sizes: dragged };
}

/** Shows or hides a panel; the last visible one stays. */
export function togglePanel(layout: Layout, name: PanelName): Layout {
  const last = shownPanels(layout);
  const shown = PANELS.filter((other) => last.includes(other) !== (other === name));
  return shown.length === 0 ? layout : showPanels(layout, shown);
}

/** Gives a panel the whole window. */
export function onlyPanel(layout: Layout, name: PanelName): Layout {
  return { ...showPanels(layout, [name]), front: name };
}

/** Shows a panel beside the others, and in front where there is room for only one. */
export function showPanel(layout: Layout, name: PanelName): Layout {
  const shown = shownPanels(layout);
  if (shown.includes(name)) return markUsed(layout, name);
  return {
    ...showPanels(
      layout,
      PANELS.filter((other) => other === name || shown.includes(other)),
    ),
    front: name,
  };
}

/** A person works in this panel, so it stays visible when the window becomes too narrow for more. */
export const markUsed = (layout: Layout, name: PanelName): Layout =>
  layout.front === name ? layout : { ...layout, front: name };
