// What somebody wants to train. The dialog opens from the recommendation, from menus, the palette and a job's page. Only
// code that loads later imports this file.
import { create } from 'zustand';
import { runCommand } from './commands.ts';

export interface TrainingRequest {
  /** null: the dialog asks for one. */
  readonly snapshotId: string | null;
  /** The job whose runs are offered again; null: those of the recommendation are. */
  readonly jobId: string | null;
}

const useStore = create<{ readonly request: TrainingRequest }>(() => ({ request: { snapshotId: null, jobId: null } }));

/** Opens the dialog that starts runs. */
export function startTraining(request: TrainingRequest): void {
  useStore.setState({ request });
  runCommand('start-training');
}

export const useTrainingRequest = (): TrainingRequest => useStore(({ request }) => request);
