// What the service needs of the local studio's domain.
import type { Job } from '#shared/contract/job.ts';
import type { Recommendation } from '#shared/contract/recommendation.ts';
import type { Examples } from '#shared/contract/routes.ts';
import type { ProjectNode, ProjectSummary } from '#shared/contract/tree.ts';
import type { ModelFile } from '#server/engine/engine.ts';

export interface Studio {
  listProjects(): Promise<readonly ProjectSummary[]>;
  /** The whole tree (SPEC 4.1); null when there is no such project. */
  findProject(projectId: string): Promise<ProjectNode | null>;
  /** A job with what its experiments were asked to do and what came of it; null when there is no such job. */
  findJob(jobId: string): Promise<Job | null>;
  /**
   * The recommendation for a snapshot (SPEC 4.2); null when there is no such snapshot. The first call for a
   * snapshot starts a background job and answers `processing` with empty lists.
   */
  findRecommendation(snapshotId: string): Promise<Recommendation | null>;
  /** Model files of succeeded experiments and of the base models that can run here. */
  listModelFiles(): Promise<readonly ModelFile[]>;
  /** Example prompts for a model of this studio, by id or alias; null when it has none. */
  findExamples(model: string): Promise<Examples | null>;
  /** Resolves when the database answers. Throws DatabaseUnavailable, within seconds, when it does not. */
  checkDatabase(): Promise<void>;
  /** Finishes running jobs, closes the database and gives the data folder free. */
  close(): Promise<void>;
}

/** A start-up failure with one line that says what happened and what to do. The process exits with code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
