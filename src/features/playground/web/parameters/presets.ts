// Presets: named settings, and what applying one changes. Pure. Stored text is never trusted.
import { isObject, textOr } from '#core/contract/reading.ts';
import { changePane, type Desk } from '#features/playground/web/desk/desk.ts';
import { PANEL_NAMES } from '#features/playground/web/desk/settingLabels.ts';
import {
  PARAMETER_NAMES,
  patchSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '#features/playground/web/desk/settings.ts';
import { readSettings } from '#features/playground/web/storage/settingsRecords.ts';

export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The settings that it changes. Those without a value become unset; all others stay. */
  readonly about: readonly SettingName[];
  readonly settings: Settings;
}

/** They only set values. Whether “Deterministic” repeats exactly depends on the service. */
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

/** A preset of the parameters, with or without the system prompt, the tools and the format. */
export function toPreset(id: string, name: string, settings: Settings, { hasPrompt, hasTools }: PresetParts): Preset {
  const about = [...(hasPrompt ? PROMPT_NAMES : []), ...PARAMETER_NAMES, ...(hasTools ? TOOL_NAMES : [])];
  return { id, name: name.trim().slice(0, MAX_NAME), about, settings: pick(settings, about) };
}

function pick(settings: Settings, names: readonly SettingName[]): Settings {
  return patchSettings({}, Object.fromEntries(names.map((name) => [name, settings[name]])));
}

/** The reason why a preset can't have this name; null if it can. */
export function findNameProblem(name: string, others: readonly Preset[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Give it a name.';
  return [...BUILT_IN, ...others].some((preset) => preset.name === wanted)
    ? `There is a preset “${wanted}” already.`
    : null;
}

/** Applies a preset to all linked panes (null), or to one pane as its own settings. */
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
  /** Part of the text could not be read. */
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
