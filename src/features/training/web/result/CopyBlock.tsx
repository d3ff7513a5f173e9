import { CopyButton } from '#ui/kit/CopyButton.tsx';

interface CopyBlockProps {
  title: string;
  text: string;
}

const MOST_LINES = 12;
/** About the characters of a line. */
const LINE = 100;

/** A text to copy, with its name. */
export function CopyBlock({ title, text }: CopyBlockProps) {
  return (
    <div className="min-w-0">
      <div className="flex items-center gap-1">
        <span className="text-soft">{title}</span>
        <CopyButton label={`Copy: ${title}`} text={text} />
      </div>
      <textarea
        readOnly
        aria-label={title}
        value={text}
        rows={Math.min(MOST_LINES, text.split('\n').length + Math.floor(text.length / LINE))}
        className="w-full rounded-md border border-line bg-canvas p-2 font-mono text-sm"
      />
    </div>
  );
}
