// Runs that nothing trains yet, and where the page says why.
import type { TreeNode } from '#core/contract/projectReader.ts';

const WAITS: ReadonlySet<string> = new Set(['queued', 'pending']);

export const isWaiting = ({ type, status }: Pick<TreeNode, 'type' | 'status'>): boolean =>
  type === 'experiment' && status !== undefined && WAITS.has(status);

/** Id of the element that describes the row of a run that waits. */
export const toWaitId = (id: string): string => `wait-${id}`;
