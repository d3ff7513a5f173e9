// The redirected output of a training with HF's Trainer: `nohup.out`, `train.log`, `slurm-12.out` with `slurm-12.err`. Where
// no tracker is on, it is all that changes between two checkpoints.
import type { Curve } from '#server/runs/curve.ts';
import { toEvidence, type FactSource, type RunEvidence, type StatusSign } from '#server/runs/evidence.ts';
import type { Claim, FileChange, FolderView, FormatReader, RunReading, WantedFile } from '#server/runs/reader.ts';
import { checkpointFolders, hasTrainingSigns } from './outputFolder.ts';
import { baseName, pathIn } from './places.ts';
import { methodOfMetrics } from './trainingMethod.ts';
import { parseTrainerState, type TrainerState } from './trainerState.ts';
import { TrainerOutput, type StepScale } from './trainerOutput.ts';

const FORMAT = 'stdout';
const LOG = /^(?:nohup\.out|(?:train|training|stdout|stderr|output|console|log)\.txt|.+\.(?:log|out|err))$/i;
/** Logs that other formats read: Axolotl's, and those of trackers. */
const OTHERS = /^debug(?:-\w+)*\.log$/i;
const STATE = 'trainer_state.json';
const EVENTS = /tfevents/;

export const stdoutFormat: FormatReader = {
  format: FORMAT,
  label: 'Output of the Trainer',

  recognise(folder: FolderView): readonly Claim[] {
    const byStem = new Map<string, WantedFile[]>();
    for (const name of [...folder.files.keys()].sort()) {
      if (!LOG.test(name) || OTHERS.test(name)) continue;
      const stem = name.replace(/\.[^.]*$/, '');
      const files = byStem.get(stem) ?? [];
      byStem.set(stem, [...files, { path: pathIn(folder, name), read: { mode: 'tail', from: 'end' } }]);
    }
    return [...byStem].flatMap(([stem, files]) => {
      const output = findOutput(folder, stem);
      if (!output) return [];
      const states = [...checkpointFolders(output)].reverse().filter((inner) => inner.files.has(STATE));
      const state = states
        .slice(0, 1)
        .map((inner) => ({ path: pathIn(inner, STATE), read: { mode: 'whole' } as const }));
      return [{ key: pathIn(folder, stem), files: [...state, ...files] }];
    });
  },

  open: (claim: Claim, folder: FolderView): RunReading => new OutputReading(claim, folder),
};

/** The output folder that a log belongs to: the one that it is in, that has its name, or the only one beside it. */
function findOutput(folder: FolderView, stem: string): FolderView | null {
  if (isOutput(folder)) return folder;
  const named = folder.folders.get(stem);
  if (named && isOutput(named)) return named;
  const [only, ...more] = [...folder.folders.values()].filter(isOutput);
  return only && more.length === 0 ? only : null;
}

/** Checkpoints and the like, or event files where the Trainer puts them. */
function isOutput(folder: FolderView): boolean {
  if (hasTrainingSigns(folder)) return true;
  const inner = [...(folder.folders.get('runs')?.folders.values() ?? [])];
  return inner.some(({ files }) => [...files.keys()].some((name) => EVENTS.test(name)));
}

interface Log {
  readonly path: string;
  readonly output: TrainerOutput;
  readonly modifiedAt: number;
}

class OutputReading implements RunReading {
  readonly #claim: Claim;
  readonly #folder: FolderView;
  readonly #outputs = new Map<string, Log>();
  readonly #states = new Map<string, TrainerState>();

  constructor(claim: Claim, folder: FolderView) {
    this.#claim = claim;
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const { path, modifiedAt } = change;
    if (change.kind === 'gone') {
      this.#outputs.delete(path);
      this.#states.delete(path);
    } else if (change.kind === 'whole') this.#states.set(path, parseTrainerState(change.content));
    else if (change.kind === 'tail') {
      const { output } = this.#outputs.get(path) ?? { output: new TrainerOutput() };
      output.take(change.content, change.isFromStart);
      this.#outputs.set(path, { path, output, modifiedAt });
    }
  }

  evidence(): readonly RunEvidence[] {
    const stem = baseName(this.#claim.key);
    const output = findOutput(this.#folder, stem);
    const logs = [...this.#outputs.values()];
    const rows = logs.find((log) => log.output.hasRows);
    if (!output || !rows) return [];
    const source: FactSource = { file: rows.path, place: null };
    const scale = toScale([...this.#states.values()][0]);
    const curves = toCurves(rows.output, scale);
    const method = methodOfMetrics((name) => curves.has(name));
    const summary = new Map([...rows.output.summary].map(([name, value]) => [name, { value, source }] as const));
    const { step, totalSteps, epoch } = rows.output;
    return [
      toEvidence({
        format: FORMAT,
        key: this.#claim.key,
        folder: output.path,
        method: method === null ? null : { value: method, source },
        curves,
        curveSource: source,
        summary,
        progress: { step: step ?? lastStep(curves), totalSteps, epoch, totalEpochs: null },
        signs: logs.flatMap(({ path, output, modifiedAt }) => toSigns(output, { file: path, place: null }, modifiedAt)),
        lastSignAt: Math.max(...logs.map(({ modifiedAt }) => modifiedAt)),
      }),
    ];
  }
}

/** By bars where there are some. A bar waits for the file it is in: stdout alone has none. */
const toCurves = (output: TrainerOutput, scale: StepScale | null): ReadonlyMap<string, Curve> =>
  output.curves.size === 0 && scale ? output.toScaledCurves(scale) : output.curves;

function toScale(state: TrainerState | undefined): StepScale | null {
  const { step = null, epoch = null } = state?.progress ?? {};
  const loggingSteps = state?.settings['logging_steps'];
  if (step === null || epoch === null || epoch <= 0 || step <= 0 || typeof loggingSteps !== 'number') return null;
  return { stepsPerEpoch: step / epoch, loggingSteps: Math.max(1, loggingSteps) };
}

const lastStep = (curves: ReadonlyMap<string, Curve>): number | null => curves.get('epoch')?.lastStep ?? null;

function toSigns(output: TrainerOutput, source: FactSource, at: number): readonly StatusSign[] {
  const signs: StatusSign[] = [];
  const { step, totalSteps, error } = output;
  if (output.summary.size > 0) {
    signs.push({ kind: 'finished', reason: 'train_runtime and train_loss were printed', at, source });
  } else if (step !== null && totalSteps !== null && step >= totalSteps) {
    signs.push({ kind: 'complete', reason: `the progress bar reached ${step} of ${totalSteps}`, at, source });
  }
  if (error) signs.push({ kind: error.isInterrupt ? 'interrupted' : 'traceback', reason: error.message, at, source });
  return signs;
}
