import { useId, useState } from 'react';
import { LinkedText } from './LinkedText.tsx';
import { toTextLead } from './textParts.ts';
import { usePrinting } from './usePrinting.ts';

interface FoldedTextProps {
  text: string;
  /** Names the text in the button's accessible name: `reason for ...`. */
  name: string;
}

/** Shows the first sentence of a text; all of it on request, and on paper. */
export function FoldedText({ text, name }: FoldedTextProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isOpen = usePrinting() || isUnfolded;
  const id = useId();
  const { lead, isWhole } = toTextLead(text);
  return (
    <>
      <span id={id} className="whitespace-pre-line">
        <LinkedText text={isOpen ? text.trim() : lead} />
      </span>
      {!isWhole && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? `less: shorten the ${name}` : `more: the whole ${name}`}
          onClick={() => setUnfolded(!isOpen)}
          className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
        >
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </>
  );
}
