import { useEffect, useRef, useState, type ReactNode } from 'react';
import { usePrinting } from '#ui/kit/usePrinting.ts';

interface NearViewProps {
  /** Height in pixels while it is away. */
  height: number;
  render: () => ReactNode;
}

/** Renders what is in view or close to it: of fifty plots, those that nobody sees are not drawn again each second. */
export function NearView({ height, render }: NearViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const isPrinting = usePrinting();
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '400px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isShown = isNear || isPrinting;
  return (
    <div ref={ref} className="min-w-0" style={isShown ? undefined : { minHeight: height }}>
      {isShown && render()}
    </div>
  );
}
