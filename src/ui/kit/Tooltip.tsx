import { cloneElement, type HTMLAttributes, type ReactElement } from 'react';

interface TooltipProps {
  /** null or an empty text shows nothing. */
  content: string | null | undefined;
  /** One element that passes attributes to the DOM. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { 'data-tip'?: string }>;
}

/**
 * A short explanation on hover and keyboard focus, never the only source of a fact. It is only an attribute:
 * TooltipLayer draws all tooltips, so a table may have hundreds.
 */
export function Tooltip({ content, children }: TooltipProps) {
  return cloneElement(children, { 'data-tip': content || undefined });
}
