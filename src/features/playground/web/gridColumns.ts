// The panes as columns of the prompt grid: each model without the conversation, with its pane's settings, with these at
// temperature 0, and with neutral settings. Pure.
import { toChatRequest } from '#ui/client/chatParameters.ts';
import { dropNarrowing } from '#core/contract/samplingParameters.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { GridColumn, Sampling } from '#features/evaluation/web/grid/gridBook.ts';
import { toGreedy, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { paneSettings, type Desk } from '#features/playground/web/desk/desk.ts';
import { toParameters } from '#features/playground/web/desk/requestSettings.ts';
import {
  SETTING_LABELS,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '#features/playground/web/desk/settings.ts';

export interface PaneColumns {
  readonly columns: readonly ColumnOffer[];
  /** Why panes without a model are left out. */
  readonly problems: readonly string[];
}

const MAX_VALUE = 24;

function toValueText(value: Settings[SettingName]): string {
  if (value === undefined) return 'default';
  const text =
    typeof value === 'string' ? `“${value}”` : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

const toWhere = ({ panes }: Desk, at: number): string => (panes.length > 1 ? `Pane ${at + 1}` : 'The pane');

interface Entry {
  readonly column: GridColumn;
  readonly settings: Settings;
}

/** The names of models in the panes, by model id. A model without a name is called by its id. */
export type ModelNames = ReadonlyMap<string, string>;

const NO_NAMES: ModelNames = new Map();

/** The name that the pane shows. Models that share a name also get their id. */
function toName(model: string, all: readonly Entry[], names: ModelNames): string {
  const name = names.get(model) ?? model;
  const isShared = all.some(({ column: { request } }) => request.model !== model && names.get(request.model) === name);
  return isShared ? `${name} · ${model}` : name;
}

/** `modelName`, with the settings that differ between panes of the same model. */
function toLabel({ column, settings }: Entry, all: readonly Entry[], modelName: string): string {
  const { model } = column.request;
  const same = all.filter((entry) => entry.column.request.model === model);
  const names = SETTING_NAMES.filter(
    (name) => new Set(same.map((entry) => JSON.stringify(entry.settings[name]))).size > 1,
  );
  const text = [modelName, ...names.map((name) => `${SETTING_LABELS[name]} ${toValueText(settings[name])}`)].join(
    ' · ',
  );
  const twins = same.filter((entry) =>
    names.every((name) => JSON.stringify(entry.settings[name]) === JSON.stringify(settings[name])),
  );
  const place = twins.findIndex((entry) => entry.column.id === column.id);
  return place > 0 ? `${text} (${place + 1})` : text;
}

function toColumn(entry: Entry, all: readonly Entry[], names: ModelNames): GridColumn {
  const { id, request } = entry.column;
  const label = toLabel(entry, all, request.model);
  const name = toLabel(entry, all, toName(request.model, all, names));
  return { ...entry.column, id, label, ...(name !== label && { name }), request };
}

/** The same column without what the pane sets about sampling. */
function toGreedyEntry({ column, settings }: Entry): Entry {
  const { temperature: _temperature, seed: _seed, ...rest } = dropNarrowing(settings);
  return { column: { ...column, sampling: 'greedy', request: toGreedy(column.request) }, settings: rest };
}

/** The session's values of variables, for rows without their own. */
const toSessionValues = ({ values = {} }: Desk): Pick<GridColumn, 'values'> =>
  Object.keys(values).length === 0 ? {} : { values };

export function toPaneColumns(desk: Desk, mode: SessionInfo['mode'] | null, names: ModelNames = NO_NAMES): PaneColumns {
  const problems = desk.panes.flatMap(({ model }, at) =>
    model.trim() === '' ? [`${toWhere(desk, at)} has no model.`] : [],
  );
  const panes = desk.panes.flatMap((pane, at) => {
    if (pane.model.trim() === '') return [];
    const { id, model } = pane;
    // A grid shows no probabilities.
    const { logprobs: _logprobs, ...settings } = paneSettings(desk, pane);
    const parameters = toParameters(settings);
    const values = toSessionValues(desk);
    const system = settings.systemPrompt ?? '';
    const messages = system.trim() === '' ? [] : [{ role: 'system' as const, content: system }];
    const toEntry = (sampling: Sampling, request: ChatRequest, sent: Settings): Entry => ({
      column: { id, label: model, sampling, request, ...values },
      settings: sent,
    });
    return [
      {
        neutral: toEntry('neutral', toChatRequest({ model, messages: [], parameters: { temperature: 0 }, mode }), {}),
        own: parameters.ok
          ? toEntry('pane', toChatRequest({ model, messages, parameters: parameters.value, mode }), settings)
          : null,
        problem: parameters.ok ? null : `${toWhere(desk, at)}: ${parameters.reason}`,
      },
    ];
  });
  const neutrals = panes.map(({ neutral }) => neutral);
  const owns = panes.flatMap(({ own }) => own ?? []);
  const greedies = owns.map(toGreedyEntry);
  const columns = panes.map(({ neutral, own, problem }): ColumnOffer => ({
    neutral: toColumn(neutral, neutrals, names),
    pane: own && {
      own: toColumn(own, owns, names),
      greedy: toColumn(toGreedyEntry(own), greedies, names),
    },
    problem,
  }));
  return { columns, problems };
}

/** A selector for the store. It returns the same object until something changes that requests depend on. */
export function openColumnSelector(
  mode: SessionInfo['mode'] | null,
  names: ModelNames = NO_NAMES,
): (desk: Desk) => PaneColumns {
  let last: { readonly desk: Desk; readonly columns: PaneColumns } | null = null;
  const isSame = (a: Desk, b: Desk): boolean =>
    a.shared === b.shared &&
    a.values === b.values &&
    a.panes.length === b.panes.length &&
    a.panes.every(
      ({ id, model, own }, at) => id === b.panes[at]?.id && model === b.panes[at].model && own === b.panes[at].own,
    );
  return (desk) => {
    const columns = last && isSame(last.desk, desk) ? last.columns : toPaneColumns(desk, mode, names);
    last = { desk, columns };
    return columns;
  };
}
