// The product's plot of 200 curves in a page by itself: the same modules and styles as in the dashboard.
import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CurvePlot } from '#features/runs/web/curves/CurvePlot.tsx';
import { USUAL_VIEW } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toLines } from '#features/runs/web/curves/curveMath/lineBook.ts';
import { PICTURE_HEIGHT, toPlotData } from '#features/runs/web/curves/plotData.ts';
import { createPointer } from '#features/runs/web/curves/pointer.ts';
import { toBenchCurves } from './curvesData.ts';
import { type XRange, toWholeRange } from '#features/runs/web/curves/curveMath/xRange.ts';
import '../../src/app/web/styles.css';

const SPEC = { key: 'loss', names: ['loss'] };
const curves = toBenchCurves();
const runs = curves.map(({ run_id: id }) => ({ id }));
const lines = toLines(curves, 'step', runs);
const whole = toWholeRange([...lines.values()].flat()) ?? { from: 0, to: 1 };
const colors = new Map(runs.map(({ id }, place) => [id, place]));
const names = new Map(runs.map(({ id }) => [id, id]));
const hidden: ReadonlySet<string> = new Set();

function Page() {
  const [zoom, setZoom] = useState<XRange | null>(null);
  const [pointer] = useState(createPointer);
  const x = zoom ?? whole;
  const data = useMemo(() => toPlotData({ spec: SPEC, lines, colors, hidden, names, view: USUAL_VIEW, x }), [x]);
  return (
    <CurvePlot
      spec={SPEC}
      data={data}
      view={USUAL_VIEW}
      x={x}
      whole={whole}
      names={names}
      front={null}
      pointer={pointer}
      onZoom={setZoom}
      onShowAll={() => undefined}
      height={PICTURE_HEIGHT}
    />
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <div style={{ width: 1000 }}>
        <Page />
      </div>
    </StrictMode>,
  );
}
