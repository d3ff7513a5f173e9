import { memo } from 'react';
import { CodeBlock } from './CodeBlock.tsx';
import { InlineView } from './InlineView.tsx';
import type { BlockNode, ListItem } from './markdownNodes.ts';
import { TableView } from './TableView.tsx';

interface BlockViewProps {
  node: BlockNode;
  /** It may still change. */
  isLive: boolean;
}

function isTask([first]: ListItem['children']): boolean {
  return first?.kind === 'paragraph' && first.children[0]?.kind === 'checkbox';
}

const Item = memo(function Item({ item, isLive }: { item: ListItem; isLive: boolean }) {
  return (
    <li className={isTask(item.children) ? 'md-task' : undefined}>
      {item.children.map((child) => (
        <BlockView key={child.key} node={child} isLive={isLive} />
      ))}
    </li>
  );
});

/** One block of markdown. A block that did not change keeps its identity and is not rendered again. */
export const BlockView = memo(function BlockView({ node, isLive }: BlockViewProps) {
  switch (node.kind) {
    case 'paragraph':
      return (
        <p>
          <InlineView nodes={node.children} />
        </p>
      );
    case 'heading':
      // One level for all, below the answer's own heading: models skip levels, and outlines must not.
      return (
        <h4 data-level={node.level}>
          <InlineView nodes={node.children} />
        </h4>
      );
    case 'quote':
      return (
        <blockquote>
          {node.children.map((child) => (
            <BlockView key={child.key} node={child} isLive={isLive} />
          ))}
        </blockquote>
      );
    case 'list': {
      const items = node.items.map((item) => <Item key={item.key} item={item} isLive={isLive} />);
      return node.start === null ? <ul>{items}</ul> : <ol start={node.start}>{items}</ol>;
    }
    case 'table':
      return <TableView table={node} />;
    case 'code':
      return <CodeBlock code={node} isLive={isLive} />;
    case 'html':
      return <p className="whitespace-pre-wrap">{node.text}</p>;
    case 'rule':
      return <hr />;
    default: {
      const unknown: never = node;
      return unknown;
    }
  }
});
