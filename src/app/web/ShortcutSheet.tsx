import { Fragment } from 'react';
import { SHORTCUTS, toKeyName } from '#ui/commands/shortcutScopes.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { SCROLLING } from '#ui/kit/scrolling.ts';

const isMac = navigator.platform.startsWith('Mac');

interface ShortcutSheetProps {
  onClose: () => void;
}

/** All keys of the page, by where they work. */
export function ShortcutSheet({ onClose }: ShortcutSheetProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <section {...SCROLLING} aria-label="All shortcuts" className="columns-1 gap-8 sm:columns-2">
        {SHORTCUTS.map(({ name, shortcuts }) => (
          <section key={name} aria-label={name} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-sm font-semibold text-faint">{name}</h3>
            <dl>
              {shortcuts.map(({ label, keys }) => (
                <div
                  key={label}
                  className="flex min-h-7 items-center justify-between gap-3 border-b border-line last:border-0"
                >
                  <dt>{label}</dt>
                  <dd className="flex shrink-0 flex-wrap items-center justify-end gap-1 text-sm text-faint">
                    {keys.map((combination, index) => (
                      <Fragment key={combination.join(' ')}>
                        {index > 0 && 'or'}
                        <span className="flex gap-0.5">
                          {combination.map((key) => (
                            <kbd key={key} className="kbd">
                              {toKeyName(key, isMac)}
                            </kbd>
                          ))}
                        </span>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  );
}
