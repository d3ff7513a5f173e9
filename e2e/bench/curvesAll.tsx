// The baseline: the same curves and keys, and each picture draws every point in view at once.
import { toBenchCurves } from './curvesData.ts';

const WIDTH = 940;
const HEIGHT = 180;
const curves = toBenchCurves();
const canvas = document.createElement('canvas');
canvas.style.width = `${WIDTH}px`;
canvas.style.height = `${HEIGHT}px`;
const area = document.createElement('div');
area.tabIndex = 0;
area.setAttribute('role', 'slider');
area.append(canvas);
document.getElementById('root')?.append(area);

let view = { from: 0, to: 9999 };

function paint(): void {
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return;
  const scale = WIDTH / (view.to - view.from);
  for (const [place, { steps, values }] of curves.entries()) {
    context.strokeStyle = `hsl(${(place * 45) % 360} 60% 40%)`;
    context.beginPath();
    for (let at = Math.max(0, Math.floor(view.from)); at <= Math.min(steps.length - 1, Math.ceil(view.to)); at += 1)
      context.lineTo(((steps[at] ?? 0) - view.from) * scale, HEIGHT - ((values[at] ?? 0) / 9) * HEIGHT);
    context.stroke();
  }
  // The picture is there, not only asked for.
  context.getImageData(0, 0, 1, 1);
  canvas.dataset['theme'] = '';
}

area.addEventListener('keydown', (event) => {
  const span = view.to - view.from;
  const middle = (view.from + view.to) / 2;
  if (event.key === '+') view = { from: middle - span * 0.3, to: middle + span * 0.3 };
  else if (event.key === '-')
    view = { from: Math.max(0, middle - span / 1.2), to: Math.min(9999, middle + span / 1.2) };
  else if (event.shiftKey) {
    const by = span * (event.key === 'ArrowRight' ? 0.1 : -0.1);
    view = { from: Math.max(0, view.from + by), to: Math.min(9999, view.to + by) };
  } else return;
  requestAnimationFrame(paint);
});
paint();
