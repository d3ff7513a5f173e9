interface CutTextProps {
  text: string;
}

/** Shorter ones are cut nowhere, or at their ends. */
const LONG = 24;
/** How much of the end stays: from the first mark between words in this range, or from its middle. */
const [MOST, USUAL, LEAST] = [16, 12, 8];
const MARK = /[\s\-_/.,:=·]/;

/** Where the end begins that stays; 0: the text has none. */
function toEndPlace(text: string): number {
  if (text.length <= LONG) return 0;
  for (let at = text.length - MOST; at < text.length - LEAST; at += 1) if (MARK.test(text[at] ?? '')) return at + 1;
  const at = text.length - USUAL;
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at;
}

/** A name that is cut before its end where there is little room: runs whose names begin alike differ at the end. */
export function CutText({ text }: CutTextProps) {
  const at = toEndPlace(text);
  if (at === 0) return text;
  return (
    <span className="inline-flex max-w-full align-bottom">
      <span className="overflow-hidden text-ellipsis whitespace-pre">{text.slice(0, at)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(at)}</span>
    </span>
  );
}
