import { MODE_LABELS, MODES, type Mode } from './layout.ts';
import { showMode, useLayout } from './layoutStore.ts';

const isMac = navigator.platform.startsWith('Mac');

// The list of all shortcuts loads with its sheet.
const KEYS = isMac ? '⌥ ⇧ ' : 'Alt Shift ';

const TIPS: Readonly<Record<Mode, string>> = {
  decide: `Wide workspace · ${KEYS}1`,
  try: `Wide playground · ${KEYS}2`,
};

/** Switches between the layout with a large workspace and the one with a large playground. */
export function ModeSwitch() {
  const mode = useLayout((layout) => layout.mode);
  return (
    <fieldset aria-label="Layout" className="flex shrink-0 rounded-md bg-neutral-soft p-0.5">
      {MODES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === mode}
          data-tip={TIPS[name]}
          onClick={() => showMode(name)}
          className={
            'h-6 rounded px-2 text-sm text-soft hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium ' +
            'aria-pressed:text-ink'
          }
        >
          {MODE_LABELS[name]}
        </button>
      ))}
    </fieldset>
  );
}
