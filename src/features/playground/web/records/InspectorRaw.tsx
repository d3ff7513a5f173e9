import { SCROLLING } from '#ui/kit/scrolling.ts';

interface InspectorRawProps {
  label: string;
  text: string;
}

/** A longer text would block the page. Copy and download take all of it. */
const SHOWN = 200_000;

/** Shows a recorded text unchanged. */
export function InspectorRaw({ label, text }: InspectorRawProps) {
  return (
    <pre
      {...SCROLLING}
      aria-label={label}
      className={
        'max-h-[58vh] overflow-auto rounded-lg border border-line bg-raised px-2.5 py-1.5 font-mono text-xs ' +
        '[overflow-wrap:anywhere] whitespace-pre-wrap'
      }
    >
      {text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… shown up to here; copy or download the whole` : text}
    </pre>
  );
}
