import type { KeyboardEvent } from 'react';
import { formatCount } from './format.ts';

interface TabEntry {
  value: string;
  label: string;
  count?: number;
}

interface TabListProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: readonly TabEntry[];
  /** Connects tabs with panels: panel ids are `<id>-panel-<value>`. */
  id: string;
  isStretched?: boolean;
}

/** The row of tabs: arrow keys move between them, Enter or Space chooses (WAI-ARIA tabs, manual activation). */
export function TabList({ label, value, onChange, tabs, id, isStretched = false }: TabListProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
    const at = all.findIndex((tab) => tab === document.activeElement);
    const next = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
  return (
    <div className="@container shrink-0">
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={`flex overflow-x-auto border-b border-line ${
          isStretched
            ? 'bg-surface'
            : 'tab-edges gap-4 px-4 @max-[30rem]:gap-2 @max-[30rem]:px-2 @max-[30rem]:text-sm ' +
              '@max-[26rem]:flex-wrap @max-[26rem]:gap-x-4 @max-[26rem]:gap-y-0 @max-[26rem]:px-4'
        }`}
      >
        {tabs.map((tab) => {
          const isChosen = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              aria-selected={isChosen}
              aria-controls={`${id}-panel-${tab.value}`}
              tabIndex={isChosen ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className={
                'flex h-9 items-center gap-1.5 border-b-2 hover:text-ink ' +
                `${isStretched ? 'flex-1 justify-center' : 'shrink-0'} ` +
                `${isChosen ? 'border-accent font-semibold text-ink' : 'border-transparent text-soft'}`
              }
            >
              {tab.label}
              {tab.count !== undefined && <span className="font-normal text-faint">{formatCount(tab.count)}</span>}
            </button>
          );
        })}
      </div>
    </div>
  );
}
