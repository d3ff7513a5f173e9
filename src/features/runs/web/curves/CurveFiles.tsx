import { Download } from 'lucide-react';
import { downloadText } from '#ui/kit/download.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { toCsvParts } from '#features/runs/web/curves/curveMath/curvesFile.ts';
import type { PlotSpec } from '#features/runs/web/curves/curveMath/metrics.ts';
import { toPicture } from './curvesSvg.ts';
import { toPlotData, type PlotsInput } from './plotData.ts';

interface CurveFilesProps {
  specs: readonly PlotSpec[];
  /** null: nothing is shown. */
  input: PlotsInput | null;
}

function toSvg(specs: readonly PlotSpec[], { lines, colors, hidden, view, x, names }: PlotsInput) {
  return toPicture({
    plots: specs.map((spec) => ({
      title: spec.names.join(' and '),
      data: toPlotData({ spec, lines, colors, hidden, names, view, x }),
    })),
    view,
    x,
    names: new Map([...names].filter(([id]) => !hidden.has(id))),
    colors,
  });
}

function saveCsv(specs: readonly PlotSpec[], { lines, hidden, names }: PlotsInput): void {
  const shown = specs
    .flatMap((spec) => spec.names)
    .flatMap((name) => lines.get(name) ?? [])
    .filter(({ runId }) => !hidden.has(runId));
  downloadText('curves.csv', 'text/csv', [...toCsvParts(shown, names)]);
  const isThinned = shown.some((line) => line.isThinned);
  showToast(
    isThinned
      ? 'Downloaded curves.csv. Long curves are thinned: zoom in to save all their points.'
      : 'Downloaded curves.csv.',
    { tone: isThinned ? 'neutral' : 'success' },
  );
}

function saveSvg(specs: readonly PlotSpec[], input: PlotsInput): void {
  downloadText('curves.svg', 'image/svg+xml', toSvg(specs, input).svg);
}

/** Twice the size, so that it is sharp in a document. */
const DENSITY = 2;

async function savePng(specs: readonly PlotSpec[], input: PlotsInput): Promise<void> {
  const picture = toSvg(specs, input);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * DENSITY;
  canvas.height = picture.height * DENSITY;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => void canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The browser made no picture');
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = 'curves.png';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The shown curves as a table or a picture. */
export function CurveFiles({ specs, input }: CurveFilesProps) {
  const toItem = (label: string, save: (shown: readonly PlotSpec[], plots: PlotsInput) => void) => ({
    label,
    disabledReason: input === null ? 'There is no curve to save.' : null,
    onSelect: () => input && save(specs, input),
  });
  const trySavePng = (...args: Parameters<typeof savePng>): void => {
    savePng(...args).catch(() =>
      showToast('The browser could not draw the PNG. Save the SVG instead.', { tone: 'error' }),
    );
  };
  return (
    <Menu
      label="Download curves"
      icon={<Download aria-hidden size={14} />}
      items={[toItem('CSV, all shown points', saveCsv), toItem('PNG', trySavePng), toItem('SVG', saveSvg)]}
    />
  );
}
