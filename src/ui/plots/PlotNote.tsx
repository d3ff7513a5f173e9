import { TriangleAlert } from 'lucide-react';

interface PlotNoteProps {
  /** null: there is nothing to say. */
  text: string | null;
}

/** One line above a plot: what a reader must know before comparing its values. */
export function PlotNote({ text }: PlotNoteProps) {
  if (text === null) return null;
  return (
    <p className="flex items-start gap-1.5 px-2 pb-1 text-sm">
      <TriangleAlert aria-hidden size={13} className="mt-0.5 shrink-0 text-soft" />
      {text}
    </p>
  );
}
