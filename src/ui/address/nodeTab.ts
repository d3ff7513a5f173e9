// Which tab of the workspace shows a node. The address decides. Without a tab in it, the kind of the node does, so a link
// shows the same to everybody. A tab that a person chose is used for the next node of that kind; it then is in the
// address. The choices last as long as the browser's tab.
import type { NodeType } from '#core/contract/projectReader.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { keep, readKept } from '#ui/storage/keptText.ts';
import { updateUrl, type UrlState } from './urlState.ts';

/** The names in the address, in the order of the page. The API calls runs experiments. */
const TABS = [
  'overview',
  'data',
  'recommendations',
  'experiments',
  'curves',
  'compare',
  'evaluations',
  'traces',
  'detail',
] as const;
export type TabName = (typeof TABS)[number];

export const TAB_LABELS: Readonly<Record<TabName, string>> = {
  overview: 'Overview',
  data: 'Rows',
  recommendations: 'Recommendations',
  experiments: 'Runs',
  curves: 'Curves',
  compare: 'Compare',
  evaluations: 'Evaluations',
  traces: 'Traces',
  detail: 'Detail',
};

/** Wide ones: beside them the playground leaves its room. */
const TABLE_TABS: ReadonlySet<string | null> = new Set(['experiments', 'curves', 'compare', 'evaluations', 'traces']);

export const isTableTab = (tab: string | null): boolean => TABLE_TABS.has(tab);

/** What shows a node of a kind best. */
const DEFAULT_TAB: Readonly<Record<NodeType, TabName>> = {
  project: 'overview',
  dataset: 'overview',
  snapshot: 'recommendations',
  'finetuning-job': 'experiments',
  experiment: 'detail',
};

/** By kind of node. */
export type TabChoices = ReadonlyMap<string, TabName>;

/** The parts of a node that decide. */
interface SelectedNode {
  readonly id: string;
  /** As the service sent it. */
  readonly type: string;
}

const toTabName = (value: unknown): TabName | null => TABS.find((name) => name === value) ?? null;

const isNodeType = (type: string): type is NodeType => Object.hasOwn(DEFAULT_TAB, type);

/** Of a kind that SPEC doesn't name, there are only its fields to show. */
const toDefaultTab = (type: string): TabName => (isNodeType(type) ? DEFAULT_TAB[type] : 'detail');

/**
 * The tabs of a kind of node: what is below a snapshot has a table and details in place of an overview, rows and
 * evaluations, which are those of the project.
 */
export function toTabNames(type: string): readonly TabName[] {
  const hasRows = type === 'dataset' || type === 'snapshot';
  const isProject = type === 'project';
  const fits: { readonly [Name in TabName]?: boolean } = {
    overview: isProject || hasRows,
    data: hasRows,
    evaluations: isProject || hasRows,
    traces: isProject,
  };
  return TABS.filter((name) => fits[name] ?? true);
}

/** The tab on screen. `tab`: the text in the address. */
export function toTab(tab: string | null, type: string): TabName {
  return toTabNames(type).find((name) => name === tab) ?? toDefaultTab(type);
}

/** The patch for the address that shows a node; the default tab is not named. */
export function toNodePatch({ id, type }: SelectedNode, choices: TabChoices): Pick<UrlState, 'node' | 'tab'> {
  const tab = choices.get(type) ?? toDefaultTab(type);
  return { node: id, tab: tab === toDefaultTab(type) ? null : tab };
}

/** Tabs that show the same whatever node is selected. They are no choice of how to show one. */
export const isOfProject = (tab: TabName): boolean => tab === 'compare' || tab === 'evaluations';

export function toTabChoices(choices: TabChoices, type: string, tab: TabName): TabChoices {
  return isOfProject(tab) ? choices : new Map(choices).set(type, tab);
}

/** Parses the stored text; damaged parts are left out. */
export function parseTabChoices(text: string | null): TabChoices {
  const stored = parseJson(text ?? 'null');
  return new Map(
    Object.entries(isObject(stored) ? stored : {}).flatMap(([type, value]) => {
      const tab = toTabName(value);
      return tab === null ? [] : [[type, tab] as const];
    }),
  );
}

const KEY = 'studio.tabs';
let choices: TabChoices | null = null;

function readChoices(): TabChoices {
  choices ??= parseTabChoices(readKept('sessionStorage', KEY));
  return choices;
}

/** Shows another tab of a node, and the next nodes of its kind in the same tab. An unknown name does nothing. */
export function chooseTab(type: string, name: string): void {
  const tab = toTabName(name);
  if (tab === null) return;
  choices = toTabChoices(readChoices(), type, tab);
  keep('sessionStorage', KEY, JSON.stringify(Object.fromEntries(choices)));
  updateUrl({ tab });
}

/** For links: the address of a node, as `selectNode` would show it. */
export const nodePatch = (node: SelectedNode): Pick<UrlState, 'node' | 'tab'> => toNodePatch(node, readChoices());

/** Shows a node in the tab for its kind, or in `tab`. Every way to a node ends here. */
export function selectNode(node: SelectedNode, tab?: TabName): void {
  updateUrl({ ...nodePatch(node), ...(tab !== undefined && { tab }) });
}
