// The settings that a model was trained with: system prompt, tools and response format. Which of them a pane gets when
// its model is opened or changed. Pure.
import type { Examples } from '#core/contract/sessionInfo.ts';
import { changeSettings, linkPane, paneSettings, type Desk, type Pane } from './desk.ts';
import { PARAMETER_NAMES, patchSettings, type Settings } from './settings.ts';

/** The settings that belong to a model. Sampling parameters belong to the person. */
const MODEL_SETTINGS = ['systemPrompt', 'tools', 'tool_choice', 'response_format', 'schema'] as const;

/** A model's own settings; none if the service knows none. */
export function toModelSettings(examples: Examples | null): Settings {
  if (!examples) return {};
  const { system_prompt, tools, response_format } = examples;
  return {
    ...(system_prompt !== '' && { systemPrompt: system_prompt }),
    ...(tools.length > 0 && { tools: JSON.stringify(tools, null, 2) }),
    ...(response_format && {
      response_format: 'json_schema' as const,
      schema: {
        name: response_format.json_schema.name,
        text: JSON.stringify(response_format.json_schema.schema, null, 2),
        strict: response_format.json_schema.strict,
      },
    }),
  };
}

const toText = (settings: Settings): string => JSON.stringify(MODEL_SETTINGS.map((name) => settings[name] || null));

/** Both have the same system prompt, tools and response format. */
export const isSameModelSettings = (a: Settings, b: Settings): boolean => toText(a) === toText(b);

/**
 * Whose rows the schema was made from that answers are held to: the pane's own model, or the first pane's; null if there
 * is none, or a person wrote it. `brought`: what the two models bring.
 */
export function findSchemaSource(settings: Settings, brought: readonly Settings[]): 'own' | 'first' | null {
  if (settings.response_format !== 'json_schema') return null;
  const text = JSON.stringify(settings.schema);
  const index = brought.findIndex(({ schema }) => schema !== undefined && JSON.stringify(schema) === text);
  return index === -1 ? null : index === 0 ? 'own' : 'first';
}

/** The settings that belong to a model, with all names: as a patch it also unsets what is not there. */
export const pickModelSettings = (settings: Settings): Settings =>
  Object.fromEntries(MODEL_SETTINGS.map((name) => [name, settings[name]]));

/** Whether no setting of the pane that belongs to a model is shared with another pane. */
function isUnlinked(desk: Desk, pane: Pane): boolean {
  return desk.panes.length === 1 || MODEL_SETTINGS.every((name) => name in pane.own);
}

/** The desk sends each message alone exactly if the model's rows have one question each. Without examples it stays. */
function withTurns(desk: Desk, examples: Examples | null): Desk {
  if (!examples) return desk;
  const isAlone = examples.turns === 'single';
  if ((desk.isAlone === true) === isAlone) return desk;
  const { isAlone: _old, ...plain } = desk;
  return isAlone ? { ...plain, isAlone } : plain;
}

/** Gives a pane its model's settings. Panes that were linked with it keep theirs. */
export function giveModelSettings(desk: Desk, paneId: string, examples: Examples | null): Desk {
  const isOnly = desk.panes.length === 1;
  const own = isOnly ? desk : linkPane(desk, paneId, MODEL_SETTINGS, false);
  const given = changeSettings(own, paneId, pickModelSettings(toModelSettings(examples)));
  return isOnly ? withTurns(given, examples) : given;
}

export interface OpenedPane {
  readonly paneId: string;
  readonly model: string;
  readonly examples: Examples | null;
  /** The pane's settings when the examples were asked for. */
  readonly settings: Settings;
}

/**
 * Gives panes that were just opened their models' settings. The first one's are shared, so a base model is asked like
 * the model beside it. Another model that was trained on rows gets its own if they differ. Panes that were used
 * or edited meanwhile keep what they have. `find`: the examples of a model; null if they are unknown.
 */
export function bringModelSettings(
  desk: Desk,
  opened: readonly OpenedPane[],
  find: (model: string) => Examples | null,
): Desk {
  // The first pane's settings may have come meanwhile. Nobody edited those.
  const first = toModelSettings(find(desk.panes[0]?.model ?? ''));
  let now = desk;
  for (const { paneId, model, examples, settings: before } of opened) {
    const given = desk.panes.find((each) => each.id === paneId);
    const pane = now.panes.find((each) => each.id === paneId);
    if (!given || pane?.model !== model || pane.turns.length > 0) continue;
    if (![before, first].some((known) => isSameModelSettings(paneSettings(desk, given), known))) continue;
    const settings = paneSettings(now, pane);
    const own = toModelSettings(examples);
    const isTrained = examples !== null && examples.turns !== null;
    if (pane === now.panes[0]) {
      if (isSameModelSettings(settings, {}))
        now = withTurns({ ...now, shared: patchSettings(now.shared, own) }, examples);
    } else if (isTrained && !isSameModelSettings(settings, own)) now = giveModelSettings(now, paneId, examples);
  }
  return now;
}

/**
 * Whether a pane may be given the settings of its new model: those of the former one were not edited, and no other pane
 * is compared under them.
 */
export function mayReplaceSettings(desk: Desk, pane: Pane, former: Examples | null): boolean {
  return isUnlinked(desk, pane) && isSameModelSettings(paneSettings(desk, pane), toModelSettings(former));
}

/**
 * Nobody has written anything: no message, draft or title, and no setting beside those of the models. An example's prompt
 * is nobody's draft.
 * `find`: the examples of a model; null if they are unknown.
 */
export function isUntouched(desk: Desk, find: (model: string) => Examples | null): boolean {
  const { panes, parked, draft, title = '', values = {}, unsaved = [] } = desk;
  const isExample = find(panes[0]?.model ?? '')?.prompts.includes(draft) === true;
  if ((draft.trim() !== '' && !isExample) || title !== '' || Object.keys(values).length > 0 || unsaved.length > 0)
    return false;
  if ([...panes, ...parked].some(({ turns }) => turns.length > 0)) return false;
  const first = toModelSettings(find(panes[0]?.model ?? ''));
  return panes.every((pane) => {
    const settings = paneSettings(desk, pane);
    return (
      PARAMETER_NAMES.every((name) => settings[name] === undefined) &&
      [{}, first, toModelSettings(find(pane.model))].some((own) => isSameModelSettings(settings, own))
    );
  });
}
