// Actions on presets: save, rename, delete and apply. Deleting and applying can be undone.
import { makeId } from '#ui/storage/makeId.ts';
import { showToast } from '#ui/kit/toast.ts';
import { paneSettings, type Desk } from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { renewFields } from '#features/playground/web/desk/fieldsEpoch.ts';
import { applyPreset, toPreset, type Preset, type PresetParts } from './presets.ts';
import { changePresets } from './presetStore.ts';
import type { Settings } from '#features/playground/web/desk/settings.ts';
import { changeWithUndo } from '#features/playground/web/desk/undo.ts';

/** The settings that a new preset would hold: those of a pane, or the shared ones. */
export function readPresetSource(desk: Desk, paneId: string | null): Settings {
  const pane = paneId === null ? undefined : desk.panes.find((each) => each.id === paneId);
  return pane ? paneSettings(desk, pane) : desk.shared;
}

export function savePreset(name: string, paneId: string | null, parts: PresetParts): void {
  const preset = toPreset(makeId(), name, readPresetSource(readDesk(), paneId), parts);
  changePresets((presets) => [...presets, preset]);
  showToast(`Saved “${preset.name}”.`, { tone: 'ok' });
}

export function renamePreset(id: string, name: string): void {
  changePresets((presets) => presets.map((preset) => (preset.id === id ? { ...preset, name: name.trim() } : preset)));
}

export function deletePreset(preset: Preset): void {
  changePresets((presets) => presets.filter(({ id }) => id !== preset.id));
  const onSelect = (): void => changePresets((presets) => [...presets.filter(({ id }) => id !== preset.id), preset]);
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
