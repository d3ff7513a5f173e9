import { memo, Suspense, type ReactNode } from 'react';
import type { InlineNode } from './markdownNodes.ts';
import { toPreloadedView } from '#ui/lazy/preloadedView.ts';
import { FormulaSource } from './FormulaSource.tsx';

// Loaded with the first formula. If it doesn't arrive, formulas are shown as their source.
const math = toPreloadedView(async () => (await import('./MathView.tsx')).MathView, FormulaSource);

interface FormulaProps {
  text: string;
}

/** A formula in an answer. Its source is shown while it can't be rendered. */
const Formula = memo(function Formula({ text }: FormulaProps) {
  return (
    <Suspense fallback={<FormulaSource text={text} />}>
      <math.View text={text} />
    </Suspense>
  );
});

interface InlineViewProps {
  nodes: readonly InlineNode[];
}

function toElement(node: InlineNode, key: number): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'code':
      return <code key={key}>{node.text}</code>;
    case 'formula':
      return <Formula key={key} text={node.text} />;
    case 'strong':
      return <strong key={key}>{node.children.map(toElement)}</strong>;
    case 'em':
      return <em key={key}>{node.children.map(toElement)}</em>;
    case 'del':
      return <del key={key}>{node.children.map(toElement)}</del>;
    case 'link':
      return (
        <a key={key} href={node.href} title={node.href} target="_blank" rel="noopener noreferrer">
          {node.isImage && 'Image: '}
          {node.children.map(toElement)}
        </a>
      );
    case 'target':
      return (
        <span key={key}>
          {node.children.map(toElement)} <span className="text-faint">({node.target})</span>
        </span>
      );
    case 'checkbox':
      return (
        <input
          key={key}
          type="checkbox"
          checked={node.isChecked}
          readOnly
          disabled
          aria-label={node.isChecked ? 'done' : 'not done'}
        />
      );
    case 'break':
      return <br key={key} />;
    default: {
      const unknown: never = node;
      return unknown;
    }
  }
}

/** Inline markdown as elements. Texts go in as texts: nothing a model writes becomes markup. */
export function InlineView({ nodes }: InlineViewProps) {
  return nodes.map(toElement);
}
