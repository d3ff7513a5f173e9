// The interface of the runs of other trainers for the service.
import { createHash } from 'node:crypto';
import type { CurveList, CurveRequest, RunRoot, RunRootChange } from '#features/runs/shared/runs.ts';
import type { ProjectNode, ProjectSummary } from '#core/contract/tree.ts';
import type { RunsCore } from './runsMessages.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

/** A GGUF file of a run, in the form that the engine takes. */
export interface RunModelFile {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly path: string;
  readonly adapter: null;
  readonly created: number;
  readonly owned_by: string;
}

/** What is passed on to the process that reads the folders. */
type Asked = Pick<
  RunsCore,
  'listRoots' | 'findJob' | 'findRun' | 'findCompletions' | 'findSnapshotRoot' | 'look' | 'close'
>;

export interface Runs extends Asked {
  /** A root is a project. */
  listProjects(): Promise<readonly ProjectSummary[]>;
  /**
   * Shows the runs of a folder from now on. Throws RunsProblem if it can't be read; RunsForbidden if it must lie in a folder of
   * `--runs` and does not.
   */
  addRoot(path: string, from: 'anywhere' | 'given folders'): Promise<RunRoot>;
  /** null: there is no such root. */
  removeRoot(id: string): Promise<'removed' | 'from-flag' | null>;
  /** null: there is no such root. */
  changeRoot(id: string, change: RunRootChange): Promise<RunRoot | null>;
  /** The same object as long as nothing changed. null: none of these roots. */
  findProject(id: string): Promise<ProjectNode | null>;
  /** null: nothing is new since `request.version`. May reject when `signal` is aborted. */
  findCurves(request: CurveRequest, signal?: AbortSignal): Promise<CurveList | null>;
  listModelFiles(): Promise<readonly RunModelFile[]>;
}

/** The version of curves that come from several places. */
export const toCurvesVersion = (...versions: readonly string[]): string =>
  createHash('sha256').update(versions.join(' ')).digest('base64url').slice(0, 22);

/**
 * What one of two places of curves has, with the version of both: `own` is that of the other. `version` is what a page has;
 * `find` reads only what is new since its part of it. null: nothing is new in both.
 */
export async function findJoined<Found extends { readonly version: string }>(
  own: string,
  version: string | undefined,
  find: (known?: string) => Promise<Found | null>,
): Promise<Found | null> {
  const cut = version?.lastIndexOf('.') ?? -1;
  const known = cut < 0 ? undefined : version?.slice(0, cut);
  let found = await find(known);
  if (found === null && version?.slice(cut + 1) === own) return null;
  found ??= await find();
  return found && { ...found, version: `${found.version}.${own}` };
}

/** What a person can mend. The message is for people. */
export class RunsProblem extends HttpProblem {
  constructor(message: string) {
    super(400, message, { code: 'folder_not_usable' });
  }
}

/** Only who started the studio may show this folder. The message is for people. */
export class RunsForbidden extends HttpProblem {
  constructor(message: string) {
    super(403, message, { code: 'folder_not_allowed' });
  }
}

/** What reads the runs is away for a moment, or gives no answer. */
export class RunsUnavailable extends HttpProblem {
  constructor(message: string) {
    super(503, message, { code: 'runs_unavailable', headers: { 'Retry-After': '2' } });
  }
}
