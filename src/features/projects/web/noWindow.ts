// Replaces react-window, which react-arborist uses to draw the rows near the view. TreeList passes only those rows, so
// all are drawn (vite.config.ts; 3 KB of the first view). It must keep the names and props that react-arborist uses.
import { createElement, type ComponentType, type CSSProperties, type ElementType, type Ref } from 'react';

interface RowProps {
  readonly index: number;
  readonly style: CSSProperties;
}

interface ListProps {
  readonly className: string | undefined;
  readonly outerRef: Ref<HTMLElement>;
  readonly outerElementType: ElementType;
  readonly innerElementType: ElementType;
  readonly height: number;
  readonly width: number | string;
  readonly itemCount: number;
  /** CSS pixels. */
  readonly itemSize: number;
  readonly itemKey: (index: number) => string | number;
  /** Draws one row. */
  readonly children: ComponentType<RowProps>;
}

/** Draws all rows. */
export function FixedSizeList({
  className,
  outerRef,
  outerElementType,
  innerElementType,
  height,
  width,
  itemCount,
  itemSize,
  itemKey,
  children: Row,
}: ListProps) {
  const rows = Array.from({ length: itemCount }, (_, index) =>
    createElement(Row, {
      key: itemKey(index),
      index,
      style: { position: 'absolute', left: 0, top: index * itemSize, height: itemSize, width: '100%' },
    }),
  );
  return createElement(
    outerElementType,
    { className, ref: outerRef, style: { position: 'relative', height, width } },
    createElement(innerElementType, { style: { height: itemCount * itemSize, width: '100%' } }, rows),
  );
}

/** For rows of different heights, which this tree never has. */
export const VariableSizeList = (): null => null;
