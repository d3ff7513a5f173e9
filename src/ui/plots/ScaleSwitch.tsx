import type { NumberAxis } from '#ui/plots/scales/axes.ts';

interface ScaleSwitchProps {
  axis: NumberAxis;
  /** What has the scale, as the start of a sentence. */
  name: string;
  kind: 'axis' | 'scale';
  onSwitch: () => void;
}

/** The scale of an axis or of colours, as a button that switches it. */
export function ScaleSwitch({ axis, name, kind, onSwitch }: ScaleSwitchProps) {
  return (
    <button
      type="button"
      onClick={onSwitch}
      aria-label={`${name}: ${axis.scale} scale, switch`}
      data-tip={axis.scaleNote ?? `Switch between a linear and a logarithmic ${kind}`}
      // A pointer target needs at least 24 px.
      className={
        'inline-flex min-h-6 min-w-6 items-center justify-center rounded-sm px-1 text-xs text-faint underline ' +
        'decoration-dotted underline-offset-2 hover:bg-neutral-soft hover:text-ink'
      }
    >
      {axis.scale}
    </button>
  );
}
