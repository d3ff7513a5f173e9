import { Columns3, PanelLeft, PanelRight, PanelTop, Scaling } from 'lucide-react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Menu } from '#ui/lazy/Menu.tsx';
import { onlyPanel, PANEL_LABELS, PANELS, resetLayout, shownPanels, togglePanel, type PanelName } from './layout.ts';
import { changeLayout, useLayout } from './layoutStore.ts';

const ICONS: Record<PanelName, typeof PanelLeft> = { tree: PanelLeft, workspace: PanelTop, playground: PanelRight };

/** Which panels are on show; any of them can take the whole window. */
export function LayoutControls() {
  const visible = shownPanels(useLayout());
  return (
    <fieldset aria-label="Panels" className="flex shrink-0 items-center">
      {PANELS.map((name) => {
        const Icon = ICONS[name];
        const isShown = visible.includes(name);
        return (
          <IconButton
            key={name}
            label={`${PANEL_LABELS[name]} panel`}
            icon={<Icon aria-hidden size={15} />}
            isPressed={isShown}
            disabledReason={isShown && visible.length === 1 ? 'it is the only open panel' : null}
            onClick={() => changeLayout((layout) => togglePanel(layout, name))}
          />
        );
      })}
      <Menu
        label="Panel sizes"
        icon={<Scaling aria-hidden size={15} />}
        items={[
          ...PANELS.map((name) => ({
            label: `Only ${PANEL_LABELS[name].toLowerCase()}`,
            isChecked: visible.length === 1 && visible[0] === name,
            onSelect: () => changeLayout((layout) => onlyPanel(layout, name)),
          })),
          {
            label: 'Reset panels and sizes',
            icon: <Columns3 aria-hidden size={13} />,
            onSelect: () => changeLayout((layout) => resetLayout(layout, window.innerWidth)),
          },
        ]}
      />
    </fieldset>
  );
}
