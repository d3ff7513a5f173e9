// The presets of this browser, shared by its tabs. Unreadable presets are copied aside and reported.
import { create } from 'zustand';
import { parsePresets, toPresetText, type Preset } from './presets.ts';

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
