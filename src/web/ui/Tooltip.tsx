import { cloneElement, type HTMLAttributes, type ReactElement } from 'react';

interface TooltipProps {
  /** Nothing is shown for null or an empty text. */
  content: string | null | undefined;
  /** One element that passes attributes on to the DOM. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { 'data-tip'?: string }>;
}

/**
 * A short explanation on hover and keyboard focus; it never carries what can't be learned elsewhere.
 * Only an attribute: TooltipLayer draws all of them, so a table may have hundreds.
 */
export function Tooltip({ content, children }: TooltipProps) {
  return cloneElement(children, { 'data-tip': content || undefined });
}
