import { Button } from '#ui/kit/Button.tsx';
import { Menu } from '#ui/lazy/Menu.tsx';
import { toSourceCount, type HeldOut } from './useHeldOut.ts';

interface HeldOutButtonsProps {
  heldOut: HeldOut;
  /** The first snapshot is the main choice of the page. */
  isPrimary?: boolean;
}

/** One button for the likeliest snapshot, and a menu for the others. Nothing where the service doesn't give rows. */
export function HeldOutButtons({ heldOut: { sources, loading, take }, isPrimary = false }: HeldOutButtonsProps) {
  const [first, ...others] = sources;
  if (!first) return null;
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'default'}
        className="max-w-full min-w-0 shrink!"
        onClick={() => take(first)}
        disabledReason={loading === null ? null : 'The rows are loading.'}
      >
        <span className="truncate">
          {toSourceCount(first)} of {first.label}
        </span>
      </Button>
      {others.length > 0 && (
        <Menu
          label="Other snapshots"
          items={others.map((source) => ({
            label: `${source.label}, ${toSourceCount(source)}`,
            onSelect: () => take(source),
          }))}
        />
      )}
    </>
  );
}
