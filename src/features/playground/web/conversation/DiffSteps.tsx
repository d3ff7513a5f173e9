import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { IconButton } from '#ui/kit/IconButton.tsx';

interface DiffStepsProps {
  /** The element around the marked text. */
  box: RefObject<HTMLElement | null>;
}

const CURRENT = 'data-current';

/** The first mark of each difference: what was removed and what stands there instead are one. */
const findDifferences = (box: HTMLElement | null): readonly HTMLElement[] =>
  [...(box?.querySelectorAll<HTMLElement>('del, ins') ?? [])].filter(
    ({ previousElementSibling: before }) => before === null || !before.matches('del, ins'),
  );

/** Buttons that go from one difference to the next. */
export function DiffSteps({ box }: DiffStepsProps) {
  const [place, setPlace] = useState('');
  const step = (by: 1 | -1) => {
    const all = findDifferences(box.current);
    const now = all.findIndex((mark) => mark.hasAttribute(CURRENT));
    const next = now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length;
    all[now]?.removeAttribute(CURRENT);
    all[next]?.setAttribute(CURRENT, '');
    all[next]?.scrollIntoView({ block: 'center' });
    setPlace(all.length === 0 ? 'none' : `${next + 1} of ${all.length}`);
  };
  return (
    <>
      <output className="shrink-0 text-xs text-faint tabular-nums">{place}</output>
      <IconButton
        label="Previous difference"
        icon={<ArrowUp aria-hidden size={13} />}
        className="size-6!"
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next difference"
        icon={<ArrowDown aria-hidden size={13} />}
        className="size-6!"
        onClick={() => step(1)}
      />
    </>
  );
}
