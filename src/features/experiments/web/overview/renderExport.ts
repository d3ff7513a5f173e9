// The shell gives the overview the export of the recommendations, because features do not import each other.
import type { ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';

/** Copies and downloads candidates of a snapshot's recommendation as configs. `isStarted`: it can start them here too. */
export type RenderExport = (snapshot: TreeNode, candidates: readonly Candidate[], isStarted: boolean) => ReactNode;
