// Presets: named settings, and what applying one changes. Pure. Stored text is never trusted.
import { isObject, parseJson, textOr } from '#core/contract/readJson.ts';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { changePane, type Desk, paneSettings } from '#features/playground/web/desk/desk.ts';
import { PANEL_NAMES } from '#features/playground/web/desk/settingLabels.ts';
import {
  PARAMETER_NAMES,
  patchSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '#features/playground/web/desk/settings.ts';
import { readSettings } from '#features/playground/web/storage/answerRecords.ts';
import { create } from 'zustand';
import { makeId } from '#ui/storage/makeId.ts';
import { showToast } from '#ui/kit/toast.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { renewFields } from '#features/playground/web/desk/fieldsEpoch.ts';
import { removedHere } from '#features/playground/web/library/library.ts';
import { changeWithUndo } from '#features/playground/web/desk/undo.ts';

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

const PROMPT_NAMES: readonly SettingName[] = ['systemPrompt'];
const TOOL_NAMES: readonly SettingName[] = ['tools', 'tool_choice', 'response_format', 'schema'];

export interface PresetParts {
  readonly hasPrompt: boolean;
  readonly hasTools: boolean;
}

/** A preset of the parameters, with or without the system prompt, the tools and the format. */
export function toPreset(id: string, name: string, settings: Settings, { hasPrompt, hasTools }: PresetParts): Preset {
  const about = [...(hasPrompt ? PROMPT_NAMES : []), ...PARAMETER_NAMES, ...(hasTools ? TOOL_NAMES : [])];
  return { id, name: name.trim().slice(0, LIBRARY_LIMITS.name), about, settings: pick(settings, about) };
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

export function parsePreset(value: unknown): Preset | null {
  if (!isObject(value) || typeof value['id'] !== 'string' || !Array.isArray(value['about'])) return null;
  const name = textOr(value['name'], '').slice(0, LIBRARY_LIMITS.name);
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
  const stored = parseJson(text);
  if (!isObject(stored) || stored['version'] !== 1 || !Array.isArray(stored['presets']))
    return { presets: [], isDamaged: true };
  const presets = (stored['presets'] as readonly unknown[]).map(parsePreset);
  return { presets: presets.filter((preset) => preset !== null), isDamaged: presets.includes(null) };
}

export function toPresetText(presets: readonly Preset[]): string {
  return JSON.stringify({ version: 1, presets });
}

// The presets of this browser, shared by its tabs. Unreadable presets are copied aside and reported.

const KEY = 'studio.presets';

interface PresetState {
  readonly presets: readonly Preset[];
  readonly problem: string | null;
}

const NO_STORAGE = 'This browser does not let the page store anything: presets are lost when it is reloaded.';
const FULL = 'There is no room for this preset in the browser’s storage. It is lost when the page is reloaded.';

const NO_ROOM_ASIDE =
  'Some stored presets could not be read, and there is no room to keep them aside. Free some space; until then ' +
  'presets are not stored.';

function copyAside(text: string): boolean {
  const aside = `${KEY}.unreadable`;
  try {
    if (localStorage.getItem(aside) !== text) localStorage.setItem(aside, text);
    return true;
  } catch {
    return false;
  }
}

/** Reads the stored presets. A damaged text is copied to a separate key before anything overwrites it. */
function read(): PresetState {
  try {
    const text = localStorage.getItem(KEY);
    const { presets, isDamaged } = parsePresets(text);
    if (!isDamaged || text === null) return { presets, problem: null };
    return {
      presets,
      problem: copyAside(text)
        ? `Some stored presets could not be read. They are kept in this browser’s storage as “${KEY}.unreadable”.`
        : NO_ROOM_ASIDE,
    };
  } catch {
    return { presets: [], problem: NO_STORAGE };
  }
}

export const usePresets = create<PresetState>(read);

/** Changes the presets as they are stored now: another tab may have changed them. */
export function changePresets(change: (presets: readonly Preset[]) => readonly Preset[]): void {
  const stored = read();
  const presets = change(stored.problem === NO_STORAGE ? usePresets.getState().presets : stored.presets);
  let problem = stored.problem ?? usePresets.getState().problem;
  try {
    // The unreadable text may be the only copy.
    if (problem !== NO_ROOM_ASIDE) localStorage.setItem(KEY, toPresetText(presets));
  } catch {
    problem = stored.problem === NO_STORAGE ? NO_STORAGE : FULL;
  }
  usePresets.setState({ presets, problem });
}

/** Follows the changes of other tabs. Returns a function that stops it. */
export function watchPresets(): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === KEY) usePresets.setState({ presets: read().presets });
  };
  usePresets.setState({ presets: read().presets });
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

// Actions on presets: save, rename, delete and apply. Deleting and applying can be undone.

/** The settings that a new preset would hold: those of a pane, or the shared ones. */
export function readPresetSource(desk: Desk, paneId: string | null): Settings {
  const pane = paneId === null ? undefined : desk.panes.find((each) => each.id === paneId);
  return pane ? paneSettings(desk, pane) : desk.shared;
}

export function savePreset(name: string, paneId: string | null, parts: PresetParts): void {
  const preset = toPreset(makeId(), name, readPresetSource(readDesk(), paneId), parts);
  changePresets((presets) => [...presets, preset]);
  showToast(`Saved “${preset.name}”.`, { tone: 'success' });
}

export function renamePreset(id: string, name: string): void {
  changePresets((presets) => presets.map((preset) => (preset.id === id ? { ...preset, name: name.trim() } : preset)));
}

export function deletePreset(preset: Preset): void {
  removedHere.add(preset.id);
  changePresets((presets) => presets.filter(({ id }) => id !== preset.id));
  const onSelect = (): void => {
    removedHere.delete(preset.id);
    changePresets((presets) => [...presets.filter(({ id }) => id !== preset.id), preset]);
  };
  showToast(`“${preset.name}” deleted`, { action: { label: 'Undo', onSelect } });
}

/** Restores the settings that the preset changed. Later changes of other settings stay. */
function restore<Values extends object>(now: Values, before: Values, { about }: Preset): Values {
  const names: ReadonlySet<string> = new Set(about);
  const pick = (values: Values, isWanted: (name: string) => boolean) =>
    Object.entries(values).filter(([name]) => isWanted(name));
  return Object.fromEntries([
    ...pick(now, (name) => !names.has(name)),
    ...pick(before, (name) => names.has(name)),
  ]) as Values;
}

/** Applies a preset to all linked panes (null) or to one. */
export function choosePreset(preset: Preset, paneId: string | null): void {
  const before = readDesk();
  const own = before.panes.find(({ id }) => id === paneId)?.own;
  const undo = (desk: Desk): Desk =>
    paneId === null || !own
      ? { ...desk, shared: restore(desk.shared, before.shared, preset) }
      : {
          ...desk,
          panes: desk.panes.map((pane) =>
            pane.id === paneId ? { ...pane, own: restore(pane.own, own, preset) } : pane,
          ),
        };
  renewFields(paneId === null ? null : [paneId]);
  changeWithUndo(`“${preset.name}” applied`, (desk) => applyPreset(desk, preset, paneId), undo);
}
