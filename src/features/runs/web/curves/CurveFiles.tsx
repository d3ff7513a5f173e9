import { Download } from 'lucide-react';
import { downloadText } from '#ui/kit/download.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { toCsvParts } from '#features/runs/web/curves/curveMath/curvesFile.ts';
import type { CurveView } from '#features/runs/web/curves/curveMath/curveView.ts';
import type { Line } from '#features/runs/web/curves/curveMath/line.ts';
import type { PlotSpec } from '#features/runs/web/curves/curveMath/metrics.ts';
import { toPicture } from './curvesSvg.ts';
import { toPlotData } from './plotData.ts';
import type { XRange } from '#features/runs/web/curves/curveMath/xRange.ts';

interface FilesInput {
  readonly specs: readonly PlotSpec[];
  readonly lines: ReadonlyMap<string, readonly Line[]>;
  readonly colors: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly view: CurveView;
  readonly x: XRange | null;
  readonly names: ReadonlyMap<string, string>;
}

interface CurveFilesProps {
  /** Called when a format is chosen. */
  toInput: () => FilesInput;
  disabledReason: string | null;
}

function toSvg({ specs, lines, colors, hidden, view, x, names }: FilesInput) {
  if (x === null) return null;
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

function saveCsv({ specs, lines, hidden, names }: FilesInput): void {
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

function saveSvg(input: FilesInput): void {
  const picture = toSvg(input);
  if (picture) downloadText('curves.svg', 'image/svg+xml', picture.svg);
}

/** Twice the size, so that it is sharp in a document. */
const DENSITY = 2;

async function savePng(input: FilesInput): Promise<void> {
  const picture = toSvg(input);
  if (!picture) return;
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
export function CurveFiles({ toInput, disabledReason }: CurveFilesProps) {
  const onPng = (): void => {
    savePng(toInput()).catch(() =>
      showToast('The browser could not draw the PNG. Save the SVG instead.', { tone: 'error' }),
    );
  };
  return (
    <Menu
      label="Download curves"
      icon={<Download aria-hidden size={14} />}
      items={[
        { label: 'CSV, all shown points', disabledReason, onSelect: () => saveCsv(toInput()) },
        { label: 'PNG', disabledReason, onSelect: onPng },
        { label: 'SVG', disabledReason, onSelect: () => saveSvg(toInput()) },
      ]}
    />
  );
}
