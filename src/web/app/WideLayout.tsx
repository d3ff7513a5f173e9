import { Fragment, useEffect, useId, type ReactNode } from 'react';
import { useUrlState } from '#web/session/urlState.ts';
import { useSize } from '#web/ui/useSize.ts';
import { fitPanes, PANEL_LABELS, PANELS, reduceSizes, toPercentages, type PanelName } from '#web/app/layout/layout.ts';
import { changeLayout, useLayout } from '#web/app/layout/layoutStore.ts';
import { PanelEdge } from '#web/app/layout/PanelEdge.tsx';

interface WideLayoutProps {
  panels: Record<PanelName, ReactNode>;
}

/** Pixels below which a panel can't be read. */
const MIN_WIDTHS: Record<PanelName, number> = { tree: 200, workspace: 320, playground: 340 };
const SURFACES: Record<PanelName, string> = { tree: 'bg-surface', workspace: 'bg-canvas', playground: 'bg-surface' };

/** Three panels side by side. A hidden panel stays mounted, so that what runs in it goes on. */
export function WideLayout({ panels }: WideLayoutProps) {
  const layout = useLayout();
  const id = useId();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { models } = useUrlState();
  useEffect(() => changeLayout((last) => fitPanes(last, models.length)), [models.length]);
  const shares = toPercentages(layout);
  const minShare = (name: PanelName): number => (width === 0 ? 0 : (100 * MIN_WIDTHS[name]) / width);
  const toEdge = (left: PanelName, right: PanelName) => (
    <PanelEdge
      label={`Width of the ${left === 'tree' ? left : right}`}
      controls={`${id}-${left}`}
      pair={{ left: shares[left], right: shares[right], minLeft: minShare(left), minRight: minShare(right) }}
      onMove={(widths) =>
        changeLayout((last) =>
          reduceSizes(last, { ...toPercentages(last), [left]: widths.left, [right]: widths.right }),
        )
      }
    />
  );
  return (
    <div ref={ref} className="flex min-h-0 flex-1">
      {PANELS.map((name) => {
        const isShown = layout.visible.includes(name);
        const before = layout.visible[layout.visible.indexOf(name) - 1];
        return (
          <Fragment key={name}>
            {isShown && before !== undefined && toEdge(before, name)}
            <section
              id={`${id}-${name}`}
              aria-label={PANEL_LABELS[name]}
              hidden={!isShown}
              style={{ flexGrow: shares[name], flexBasis: 0 }}
              className={`flex h-full min-h-0 min-w-0 flex-col overflow-hidden [&[hidden]]:hidden ${SURFACES[name]}`}
            >
              {panels[name]}
            </section>
          </Fragment>
        );
      })}
    </div>
  );
}
