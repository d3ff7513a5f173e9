// What the process that reads roots can be asked.
import type { Job } from '#core/contract/job.ts';
import type { CurveList, CurveRequest, Run, RunGrouping, RunRoot } from '#features/runs/shared/runs.ts';
import type { CompletionList, CompletionQuestion } from '#features/runs/shared/completions.ts';
import type { ProjectNode } from '#core/contract/tree.ts';

/** A root that is read. */
export interface OpenRoot {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly isFromFlag: boolean;
  readonly grouping: RunGrouping;
  /** By which its runs are compared; null: by the one that fits. */
  readonly measure: string | null;
}

/** What is kept of the ids of runs. */
export interface IdsMemory {
  /** The folder of the files with the ids that were given; null: nothing is kept. */
  readonly folder: string | null;
  /** Ids that notes are written on, or models served of. */
  readonly used: readonly string[];
}

export interface FoundModel {
  readonly id: string;
  /** Real path of a file in its root. */
  readonly path: string;
  /** Unix seconds. */
  readonly created: number;
}

/** `no-step`: the run wrote no rows at this step, or none at all. `unreadable`: why, one sentence. */
export type CompletionAnswer =
  | { readonly kind: 'list'; readonly list: CompletionList }
  | { readonly kind: 'no-step' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface RunsCore {
  /** The roots from now on: opens new ones, closes others. */
  setRoots(roots: readonly OpenRoot[], memory?: IdsMemory): Promise<void>;
  listRoots(): Promise<readonly RunRoot[]>;
  /** null: there is no such project. `project` is null while the version is the one that the caller has. */
  findProject(
    id: string,
    version: string | null,
  ): Promise<{ readonly version: string; readonly project: ProjectNode | null } | null>;
  findJob(id: string): Promise<Job | null>;
  findRun(id: string): Promise<Run | null>;
  /** null: nothing is new since `request.version`. */
  findCurves(request: CurveRequest): Promise<CurveList | null>;
  /** null: there is no such run. */
  findCompletions(runId: string, question: CompletionQuestion): Promise<CompletionAnswer | null>;
  /** The path of the root that has this snapshot. */
  findSnapshotRoot(id: string): Promise<string | null>;
  listModels(): Promise<readonly FoundModel[]>;
  /** Looks at all files again, and resolves when all of them have been read. */
  look(): Promise<void>;
  close(): Promise<void>;
}
