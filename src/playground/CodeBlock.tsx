import { memo } from 'react';
import { CopyButton } from '../ui/CopyButton';
import type { BlockNode } from './markdownNodes';

interface CodeBlockProps {
  code: Extract<BlockNode, { kind: 'code' }>;
}

/** A box that scrolls has to be reachable by keyboard. */
const SCROLLING = { tabIndex: 0, role: 'group' } as const;

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return <span className="md-chunk">{text}</span>;
});

/** Code with a copy button. Lines that are complete stand in pieces of their own and are left alone while more comes. */
export function CodeBlock({ code }: CodeBlockProps) {
  return (
    <div className="md-code" data-language={code.language}>
      <div className="md-code-head">
        <span className="min-w-0 flex-1 truncate">{code.language || 'text'}</span>
        <CopyButton label="Copy code" text={() => code.chunks.map((chunk) => chunk.text).join('') + code.rest} />
      </div>
      <pre {...SCROLLING} aria-label={`Code, ${code.language || 'text'}`}>
        <code>
          {code.chunks.map(({ key, text }) => (
            <Chunk key={key} text={text} />
          ))}
          {code.rest !== '' && <span className="md-chunk">{code.rest}</span>}
        </code>
      </pre>
    </div>
  );
}
