import { Fragment, useEffect, useId, useRef, type ReactNode } from 'react';
import { useUrlState } from '#ui/address/urlState.ts';
import { TabList } from '#ui/kit/TabList.tsx';
import { useSize } from '#ui/kit/useSize.ts';
import {
  DEFAULT_LAYOUT,
  fitWidth,
  markUsed,
  PANEL_LABELS,
  PANELS,
  reduceSizes,
  showPanel,
  shownPanels,
  toPercentages,
  type Layout,
  type PanelName,
} from '#app/web/layout/layout.ts';
import { changeLayout, showWorkspace, useLayout } from '#app/web/layout/layoutStore.ts';
import { PlaygroundRail } from '#app/web/layout/PlaygroundRail.tsx';
import { PanelEdge } from '#app/web/layout/PanelEdge.tsx';

interface PanelSectionsProps {
  isNarrow: boolean;
  panels: Record<PanelName, ReactNode>;
}

/** Pixels below which a panel can't be read. */
const MIN_WIDTHS: Record<PanelName, number> = { tree: 200, workspace: 320, playground: 340 };
const SURFACES: Record<PanelName, string> = { tree: 'bg-surface', workspace: 'bg-canvas', playground: 'bg-surface' };
const TABS = PANELS.map((name) => ({ value: name, label: PANEL_LABELS[name] }));
/** Without a project there is no tree, and both other panels are needed. */
const TREELESS: Layout = {
  ...DEFAULT_LAYOUT,
  sizes: { tree: 0, workspace: 55, playground: 45 },
  visible: ['workspace', 'playground'],
};

const choose = (value: string): void => {
  const name = PANELS.find((panel) => panel === value);
  if (name) changeLayout((layout) => showPanel(layout, name));
};

/**
 * The three panels: side by side, or where there is room for one only as tabs. All stay mounted, also when the window
 * turns narrow or wide, so that what runs, is open or is typed in them stays.
 */
export function PanelSections({ isNarrow, panels }: PanelSectionsProps) {
  const stored = useLayout();
  const layout = panels.tree === null ? TREELESS : stored;
  const id = useId();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { node, models } = useUrlState();
  const visible = shownPanels(layout);
  useEffect(() => changeLayout((last) => fitWidth(last, isNarrow ? 0 : width)), [width, isNarrow]);
  const shownNode = useRef(node);
  useEffect(() => {
    const isOther = shownNode.current !== null && shownNode.current !== node;
    shownNode.current = node;
    // Where panels are tabs, the tree stays in front until the person goes on.
    if (isOther && !isNarrow && !visible.includes('workspace')) showWorkspace();
  }, [node, isNarrow, visible]);
  const shownModels = useRef(models);
  useEffect(() => {
    const isOther = shownModels.current.length > 0 && shownModels.current !== models;
    shownModels.current = models;
    if (isOther && !isNarrow && !visible.includes('playground')) changeLayout((last) => showPanel(last, 'playground'));
  }, [models, isNarrow, visible]);
  const shares = toPercentages(layout);
  const tabs = TABS.filter(({ value }) => panels[value] !== null);
  const front = panels[stored.front] === null ? 'workspace' : stored.front;
  const minShare = (name: PanelName): number => (width === 0 ? 0 : (100 * MIN_WIDTHS[name]) / width);
  const toEdge = (left: PanelName, right: PanelName) => (
    <PanelEdge
      label={`Width of the ${left === 'tree' ? left : right}`}
      controls={`${id}-panel-${left}`}
      pair={{ left: shares[left], right: shares[right], minLeft: minShare(left), minRight: minShare(right) }}
      onMove={(widths) =>
        changeLayout((last) =>
          reduceSizes(last, { ...toPercentages(last), [left]: widths.left, [right]: widths.right }),
        )
      }
    />
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {isNarrow && <TabList label="Panels" value={front} onChange={choose} tabs={tabs} id={id} isStretched />}
      <div ref={ref} className="flex min-h-0 flex-1">
        {PANELS.map((name) => {
          const isShown = isNarrow ? name === front : visible.includes(name);
          const before = isNarrow ? undefined : visible[visible.indexOf(name) - 1];
          const role = isNarrow
            ? { role: 'tabpanel', 'aria-labelledby': `${id}-tab-${name}` }
            : { 'aria-label': PANEL_LABELS[name] };
          const onUse = () => changeLayout((last) => markUsed(last, name));
          return (
            <Fragment key={name}>
              {isShown && before !== undefined && panels.tree !== null && toEdge(before, name)}
              <section
                {...role}
                id={`${id}-panel-${name}`}
                hidden={!isShown}
                style={{
                  flexGrow: isNarrow ? 1 : shares[name],
                  flexBasis: 0,
                  minWidth: isNarrow ? 0 : MIN_WIDTHS[name],
                }}
                onFocusCapture={onUse}
                onPointerDownCapture={onUse}
                className={`flex h-full min-h-0 flex-col overflow-hidden [&[hidden]]:hidden ${SURFACES[name]}`}
              >
                {panels[name]}
              </section>
            </Fragment>
          );
        })}
        {!isNarrow && visible.length > 1 && !visible.includes('playground') && <PlaygroundRail />}
      </div>
    </div>
  );
}
