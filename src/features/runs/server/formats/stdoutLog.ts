// The redirected output of a training with HF's Trainer: `nohup.out`, `train.log`, `slurm-12.out` with `slurm-12.err`. Where
// no tracker is on, it is all that changes between two checkpoints.
import type { Curve } from '#features/runs/server/curve.ts';
import { toEvidence, type FactSource, type RunEvidence, type StatusSign } from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type {
  Claim,
  FileChange,
  FolderView,
  FormatReader,
  RunReading,
  WantedFile,
} from '#features/runs/server/reader.ts';
import { checkpointFolders, hasTrainingSigns } from './outputFolder.ts';
import { methodOfMetrics } from './trainingMethod.ts';
import { parseTrainerState, type TrainerState } from './trainerState.ts';
import { LogTail } from './logTail.ts';
import { TracebackWatch } from './traceback.ts';
import { TrainerConsole, type StepScale } from './trainerConsole.ts';

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
      byStem.set(stem, [...files, { path: pathIn(folder.path, name), read: { mode: 'tail', from: 'end' } }]);
    }
    return [...byStem].flatMap(([stem, files]) => {
      const output = findOutput(folder, stem);
      if (!output) return [];
      const states = [...checkpointFolders(output)].reverse().filter((inner) => inner.files.has(STATE));
      const state = states
        .slice(0, 1)
        .map((inner) => ({ path: pathIn(inner.path, STATE), read: { mode: 'whole' } as const }));
      return [{ key: pathIn(folder.path, stem), files: [...state, ...files] }];
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

/** One file of the output, as it grows. */
class OutputLog {
  readonly source: FactSource;
  modifiedAt = 0;
  console = new TrainerConsole();
  readonly errors = new TracebackWatch();
  readonly #tail = new LogTail({ isConsole: true });

  constructor(readonly path: string) {
    this.source = { file: path, place: null };
  }

  take(content: Uint8Array, isFromStart: boolean): void {
    if (isFromStart) {
      this.console = new TrainerConsole();
      this.errors.clear();
    }
    for (const line of this.#tail.take(content, isFromStart)) {
      const kind = this.console.takeLine(line, this.source);
      if (kind === 'other') this.errors.take(line);
      else if (kind === 'row') this.errors.clear();
    }
    // The newest state of the bar has no line end.
    this.console.takeBar(this.#tail.openLine);
  }
}

class OutputReading implements RunReading {
  readonly #claim: Claim;
  readonly #folder: FolderView;
  readonly #logs = new Map<string, OutputLog>();
  readonly #states = new Map<string, TrainerState>();

  constructor(claim: Claim, folder: FolderView) {
    this.#claim = claim;
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const { path, modifiedAt } = change;
    if (change.kind === 'gone') {
      this.#logs.delete(path);
      this.#states.delete(path);
    } else if (change.kind === 'whole') this.#states.set(path, parseTrainerState(change.content));
    else if (change.kind === 'tail') {
      const log = this.#logs.get(path) ?? new OutputLog(path);
      this.#logs.set(path, log);
      log.take(change.content, change.isFromStart);
      log.modifiedAt = modifiedAt;
    }
  }

  evidence(): readonly RunEvidence[] {
    const stem = baseName(this.#claim.key);
    const output = findOutput(this.#folder, stem);
    const logs = [...this.#logs.values()];
    const rows = logs.find((log) => log.console.hasRows);
    if (!output || !rows) return [];
    const { source } = rows;
    const { log, step, totalSteps } = rows.console;
    const curves = toCurves(rows.console, toScale([...this.#states.values()][0]));
    const method = methodOfMetrics((name) => curves.has(name));
    return [
      toEvidence({
        format: FORMAT,
        key: this.#claim.key,
        folder: output.path,
        method: method === null ? null : { value: method, source },
        curves,
        curveSource: source,
        summary: log.summary,
        progress: { step: step ?? lastStep(curves), totalSteps, epoch: log.epoch, totalEpochs: null },
        signs: logs.flatMap(toSigns),
        lastSignAt: Math.max(...logs.map(({ modifiedAt }) => modifiedAt)),
      }),
    ];
  }
}

/** By bars where there are some. A bar waits for the file it is in: stdout alone has none. */
const toCurves = (console: TrainerConsole, scale: StepScale | null): ReadonlyMap<string, Curve> =>
  console.log.curves.size === 0 && scale ? console.toScaledCurves(scale) : console.log.curves;

function toScale(state: TrainerState | undefined): StepScale | null {
  const { step = null, epoch = null } = state?.progress ?? {};
  const loggingSteps = state?.loggingSteps ?? null;
  if (step === null || epoch === null || epoch <= 0 || step <= 0 || loggingSteps === null) return null;
  return { stepsPerEpoch: step / epoch, loggingSteps: Math.max(1, loggingSteps) };
}

const lastStep = (curves: ReadonlyMap<string, Curve>): number | null => curves.get('epoch')?.lastStep ?? null;

function toSigns({ console: { log, step, totalSteps }, errors, source, modifiedAt: at }: OutputLog) {
  const signs: StatusSign[] = [];
  if (log.summary.size > 0) {
    signs.push({ kind: 'finished', reason: 'train_runtime and train_loss were printed', at, source });
  } else if (step !== null && totalSteps !== null && step >= totalSteps) {
    signs.push({ kind: 'complete', reason: `the progress bar reached ${step} of ${totalSteps}`, at, source });
  }
  return [...signs, ...errors.toSigns(source, at)];
}
