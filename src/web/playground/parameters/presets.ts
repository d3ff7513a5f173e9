// Presets: settings with a name, which settings each is about, and what applying one changes. Pure; stored text is
// never trusted.
import { isObject, textOr } from '#shared/contract/reading.ts';
import { changePane, type Desk } from '#web/playground/desk/desk.ts';
import { PANEL_NAMES } from '#web/playground/desk/settingLabels.ts';
import {
  PARAMETER_NAMES,
  patchSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '#web/playground/desk/settings.ts';
import { readSettings } from '#web/playground/storage/settingsRecords.ts';

export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The settings that it is about; those without a value are unset by it. Others are left alone. */
  readonly about: readonly SettingName[];
  readonly settings: Settings;
}

/** What each does is all that it does: an exact repetition is for the service to keep. */
export const BUILT_IN: readonly Preset[] = [
  {
    id: 'deterministic',
    name: 'Deterministic',
    about: ['temperature', 'seed'],
    settings: { temperature: 0, seed: 42 },
  },
  { id: 'defaults', name: 'Service defaults', about: PANEL_NAMES, settings: {} },
];

export const MAX_NAME = 80;

const PROMPT_NAMES: readonly SettingName[] = ['systemPrompt'];
const TOOL_NAMES: readonly SettingName[] = ['tools', 'tool_choice', 'response_format', 'schema'];

export interface PresetParts {
  readonly hasPrompt: boolean;
  readonly hasTools: boolean;
}

/** The parameters, with or without the system prompt, tools and format. */
export function toPreset(id: string, name: string, settings: Settings, { hasPrompt, hasTools }: PresetParts): Preset {
  const about = [...(hasPrompt ? PROMPT_NAMES : []), ...PARAMETER_NAMES, ...(hasTools ? TOOL_NAMES : [])];
  return { id, name: name.trim().slice(0, MAX_NAME), about, settings: pick(settings, about) };
}

function pick(settings: Settings, names: readonly SettingName[]): Settings {
  return patchSettings({}, Object.fromEntries(names.map((name) => [name, settings[name]])));
}

/** Why presets can't have this name; null when they can. */
export function findNameProblem(name: string, others: readonly Preset[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Give it a name.';
  return [...BUILT_IN, ...others].some((preset) => preset.name === wanted)
    ? `There is a preset “${wanted}” already.`
    : null;
}

/** Takes a preset over for all linked panes (null), or for one pane, whose settings these become. */
export function applyPreset(desk: Desk, { about, settings }: Preset, paneId: string | null): Desk {
  if (paneId === null)
    return {
      ...desk,
      shared: patchSettings(desk.shared, Object.fromEntries(about.map((name) => [name, settings[name]]))),
    };
  return changePane(desk, paneId, (pane) => ({
    ...pane,
    own: { ...pane.own, ...Object.fromEntries(about.map((name) => [name, settings[name] ?? null])) },
  }));
}

const isName = (value: unknown): value is SettingName => SETTING_NAMES.some((name) => name === value);

function parsePreset(value: unknown): Preset | null {
  if (!isObject(value) || typeof value['id'] !== 'string' || !Array.isArray(value['about'])) return null;
  const name = textOr(value['name'], '').slice(0, MAX_NAME);
  const about = (value['about'] as readonly unknown[]).filter(isName);
  return name.trim() === '' || about.length === 0
    ? null
    : { id: value['id'], name, about, settings: pick(readSettings(value['settings']), about) };
}

export interface StoredPresets {
  readonly presets: readonly Preset[];
  /** Something of the text was not read. */
  readonly isDamaged: boolean;
}

export function parsePresets(text: string | null): StoredPresets {
  if (text === null) return { presets: [], isDamaged: false };
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return { presets: [], isDamaged: true };
  }
  if (!isObject(stored) || stored['version'] !== 1 || !Array.isArray(stored['presets']))
    return { presets: [], isDamaged: true };
  const presets = (stored['presets'] as readonly unknown[]).map(parsePreset);
  return { presets: presets.filter((preset) => preset !== null), isDamaged: presets.includes(null) };
}

export function toPresetText(presets: readonly Preset[]): string {
  return JSON.stringify({ version: 1, presets });
}
