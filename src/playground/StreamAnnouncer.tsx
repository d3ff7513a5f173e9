import { useDesk } from './deskStore';
import { toAnnouncement } from './announcement';

/** Tells screen readers that answers began and ended, and nothing in between. */
export function StreamAnnouncer() {
  const text = useDesk(({ desk }) => toAnnouncement(desk));
  return (
    <output aria-live="polite" className="sr-only">
      {text}
    </output>
  );
}
