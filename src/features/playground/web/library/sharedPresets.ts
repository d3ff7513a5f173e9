// The presets of the studio's library, which all who use the studio see. Those of this browser move there.
import { parseJson } from '#core/contract/readJson.ts';
import { create } from 'zustand';
import { changePresets, parsePreset, usePresets, type Preset } from '#features/playground/web/parameters/presets.ts';
import type { LibraryItem } from '#features/playground/shared/library.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  deleteItem,
  isOvertaken,
  isSameItem,
  removedHere,
  saveItem,
  syncLibrary,
  toBy,
  toQueue,
  toReason,
  type OwnItem,
} from './library.ts';

export interface SharedPreset extends Preset {
  readonly item: LibraryItem;
}

interface SharedState {
  /** null: not known yet. */
  readonly hasLibrary: boolean | null;
  readonly presets: readonly SharedPreset[];
  /** Why some presets are only in this browser, or why the library can't be read. */
  readonly problem: string | null;
}

export const useSharedPresets = create<SharedState>(() => ({ hasLibrary: null, presets: [], problem: null }));

const toItem = ({ id, name, about, settings }: Preset): OwnItem => ({
  id,
  name,
  content: JSON.stringify({ about, settings }),
});

function toShared(item: LibraryItem): SharedPreset | null {
  const content = parseJson(item.content);
  if (content === undefined) return null;
  const preset = parsePreset({ ...(content as object), id: item.id, name: item.name });
  return preset && { ...preset, item };
}

async function refresh(): Promise<void> {
  const readOwn = () => usePresets.getState().presets;
  const findOwn = (id: string): OwnItem | undefined =>
    readOwn()
      .filter((preset) => preset.id === id)
      .map(toItem)[0];
  try {
    const { items, sent, reason } = await syncLibrary(
      'preset',
      readOwn().map(({ id }) => id),
      findOwn,
    );
    const renamed = readOwn()
      .map(toItem)
      .filter((own) => !isSameItem(own, sent.get(own.id) ?? own));
    for (const own of renamed) {
      const item = items?.find(({ id }) => id === own.id);
      if (item) await saveItem('preset', own, item.revision);
    }
    // What was renamed or deleted meanwhile would come back.
    if (renamed.length > 0 || items?.some(({ id }) => removedHere.has(id)) === true) return await refresh();
    const presets = (items ?? []).map(toShared).filter((preset) => preset !== null);
    useSharedPresets.setState({ hasLibrary: items !== null, presets, problem: reason });
    if (sent.size > 0) changePresets((own) => own.filter(({ id }) => !sent.has(id)));
  } catch (error) {
    useSharedPresets.setState({ problem: toReason(error) });
  }
}

/** Reads the library, and sends what only this browser has. */
export const refreshPresets = toQueue(refresh);

/** What somebody else did meanwhile, beside what this person wanted. */
function tellOvertaken(id: string, wanted: string): void {
  const now = useSharedPresets.getState().presets.find((preset) => preset.id === id);
  const instead = now
    ? `It was changed ${toBy(now.item.updated_by)} and is called “${now.name}” now`
    : 'It was deleted';
  showToast(`${wanted} ${instead}.`, { tone: 'error' });
}

async function change(id: string, step: () => Promise<unknown>, wanted: string): Promise<boolean> {
  try {
    await step();
    await refreshPresets();
    return true;
  } catch (error) {
    await refreshPresets();
    if (isOvertaken(error)) tellOvertaken(id, wanted);
    else showToast(`${wanted} ${toReason(error)}`, { tone: 'error' });
    return false;
  }
}

export async function renameShared({ id, item }: SharedPreset, name: string): Promise<void> {
  const next = { ...item, name: name.trim() };
  await change(id, () => saveItem('preset', next, item.revision), `Not renamed to “${next.name}”.`);
}

export async function deleteShared({ id, name, item }: SharedPreset): Promise<void> {
  if (!(await change(id, () => deleteItem('preset', item), `“${name}” was not deleted.`))) return;
  const onSelect = (): void => void change(id, () => saveItem('preset', item, 0), `“${name}” was not brought back.`);
  showToast(`“${name}” deleted`, { action: { label: 'Undo', onSelect } });
}
