// The interface of the local studio's domain for the service.
import type { Job } from '#core/contract/job.ts';
import type { Recommendation } from '#core/contract/recommendation.ts';
import type { Note, NoteChange } from '#features/notes/shared/notes.ts';
import type { Examples } from '#core/contract/sessionInfo.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { RowErrors } from '#core/contract/rowErrors.ts';
import type { SnapshotRows } from '#features/datasets/server/rows/snapshotRows.ts';
import type { ProjectNode, ProjectSummary } from '#core/contract/tree.ts';
import type { ModelFile } from '#engine/engine.ts';
import type { NoteResult } from '#features/notes/server/notes.ts';

export interface Studio {
  listProjects(): Promise<readonly ProjectSummary[]>;
  /** The whole tree (SPEC 4.1); null when there is no such project. */
  findProject(projectId: string): Promise<ProjectNode | null>;
  /** A job with the hyperparameters and results of its experiments; null when there is no such job. */
  findJob(jobId: string): Promise<Job | null>;
  /**
   * The recommendation for a snapshot (SPEC 4.2); null when there is no such snapshot. The first call for a
   * snapshot starts a background job and answers `processing` with empty lists.
   */
  findRecommendation(snapshotId: string): Promise<Recommendation | null>;
  /** Computes the recommendation for a snapshot again, unless that goes on now; null when there is no such snapshot. */
  generateRecommendation(snapshotId: string): Promise<Recommendation | null>;
  /** The rows of a snapshot's part, read page by page while they are taken; null when there is no such snapshot. */
  findRows(snapshotId: string, bucket: RowBucket): Promise<SnapshotRows | null>;
  /** Where the errors of a run on the snapshot's validation rows are; null when there is no such snapshot. */
  findRowErrors(snapshotId: string, experimentId: string, signal: AbortSignal): Promise<RowErrors | null>;
  /**
   * Compares the runs of a dataset by this measure, null by the one that fits its answers. `unknown`: no run of the
   * dataset has it. null when there is no such dataset.
   */
  chooseMainMeasure(datasetId: string, measure: string | null): Promise<'chosen' | 'unknown' | null>;
  listNotes(): Promise<readonly Note[]>;
  /** Saves what a person noted of a node of any tree, unless its note was changed since. `who`: null is the owner. */
  saveNote(nodeId: string, change: NoteChange, who: string | null): Promise<NoteResult>;
  /** Model files of succeeded experiments and of the base models that can run here. */
  listModelFiles(): Promise<readonly ModelFile[]>;
  /** Example prompts for a model of this studio, by id or alias; null when it has none. */
  findExamples(model: string): Promise<Examples | null>;
  /** Resolves when the database answers. Otherwise throws DatabaseUnavailable within seconds. */
  checkDatabase(): Promise<void>;
  /** Finishes running jobs, closes the database and releases the data folder. */
  close(): Promise<void>;
}
