import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { chooseVersion } from '#features/playground/web/desk/turnActions.ts';

interface VersionPagerProps {
  paneId: string;
  turnId: string;
  /** Index of the version on show. */
  shown: number;
  count: number;
}

/** Switches between the versions of an answer. Later requests hold the version on show. */
export function VersionPager({ paneId, turnId, shown, count }: VersionPagerProps) {
  return (
    <fieldset aria-label="Versions" className="flex shrink-0 items-center font-normal text-soft tabular-nums">
      <IconButton
        label="Previous version"
        icon={<ChevronLeft aria-hidden size={13} />}
        className="w-5!"
        onClick={() => chooseVersion(paneId, turnId, shown - 1)}
        disabledReason={shown === 0 ? 'this is the first one' : null}
      />
      <span>
        {shown + 1}/{count}
      </span>
      <IconButton
        label="Next version"
        icon={<ChevronRight aria-hidden size={13} />}
        className="w-5!"
        onClick={() => chooseVersion(paneId, turnId, shown + 1)}
        disabledReason={shown === count - 1 ? 'this is the last one' : null}
      />
    </fieldset>
  );
}
