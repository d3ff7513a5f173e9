// TensorBoard's event files, of Hugging Face's trainers and of any other program. One claim is a folder with event files.
import type { JsonObject } from '#shared/contract/reading.ts';
import type { Curve } from '#server/runs/curve.ts';
import {
  toEvidence,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
  type TrainingProcess,
} from '#server/runs/evidence.ts';
import { isSummaryFigure, SUMMARY_FIGURES, toStepName } from '#server/runs/metricNames.ts';
import { baseName, pathIn } from '#server/runs/paths.ts';
import type { Claim, FileChange, FolderView, FormatReader, RunReading } from '#server/runs/reader.ts';
import { EventFile } from './eventFile.ts';
import { ARGUMENTS, joinCurves, MODEL, toRuns, trains, type EventPart } from './eventParts.ts';
import { parseLooseObject, toFinite, toText } from './looseJson.ts';
import { addSettings } from './settings.ts';
import { methodOfMetrics, methodOfSettings } from './trainingMethod.ts';

const FORMAT = 'tensorboard';
const EVENT_FILE = /(?:^|\.)tfevents\.(\d{9,11})\.(.+)$/;
/** `<host>.<pid>.<n>`, and a suffix that starts with a letter (`.v2`). tensorboardX writes only the host. */
const HOST_AND_PID = /^(.+)\.(\d+)\.\d+(?:\.[A-Za-z][\w-]*)*$/;
const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** HF's default: `<output_dir>/runs/<month and day>_<time>_<host>`, and below it the name of a trial. */
const HF_FOLDER = /^(?:(.*)\/)?runs\/\D{1,12}\d\d_\d\d-\d\d-\d\d_[^/]+(?:\/([^/]+))?$/;

export const tensorboardFormat: FormatReader = {
  format: FORMAT,
  label: 'TensorBoard',

  recognise(folder: FolderView): readonly Claim[] {
    const names = [...folder.files.keys()].filter((name) => EVENT_FILE.test(name)).sort(byStart);
    if (names.length === 0) return [];
    const files = names.map((name) => ({ path: pathIn(folder.path, name), read: { mode: 'tail' } as const }));
    return [{ key: folder.path, files }];
  },

  open: (_claim: Claim, folder: FolderView): RunReading => new EventReading(folder.path),
};

const startOf = (name: string): number => Number(EVENT_FILE.exec(name)?.[1] ?? 0);

/** By time; files of the same second by name, which ends with their number. */
const byStart = (a: string, b: string): number =>
  startOf(a) - startOf(b) || a.localeCompare(b, 'en', { numeric: true });

/** The process in the name of an event file. */
export function readProcess(name: string): TrainingProcess | null {
  const rest = EVENT_FILE.exec(name)?.[2];
  if (rest === undefined) return null;
  const [, host, pid] = IP_ADDRESS.test(rest) ? [] : (HOST_AND_PID.exec(rest) ?? []);
  return host === undefined ? { host: rest, pid: null } : { host, pid: Number(pid) };
}

class EventReading implements RunReading {
  readonly #folder: string;
  readonly #parts = new Map<string, EventPart>();
  readonly #setups = new Map<string, Setup>();
  #evidence: readonly RunEvidence[] | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    this.#evidence = null;
    if (change.kind === 'gone') this.#parts.delete(change.path);
    if (change.kind !== 'tail') return;
    const { path, modifiedAt } = change;
    const old = change.isFromStart ? undefined : this.#parts.get(path);
    const file = old?.file ?? new EventFile();
    file.take(change.content);
    this.#parts.set(path, { path, file, modifiedAt, seenAt: old?.seenAt ?? modifiedAt });
  }

  evidence(): readonly RunEvidence[] {
    const parts = [...this.#parts.values()].sort((a, b) => byStart(baseName(a.path), baseName(b.path)));
    this.#evidence ??= toRuns(parts).map((run, index) => toRunEvidence(run, this.#folder, index, this.#toSetup));
    return this.#evidence;
  }

  /** The same object as long as the texts are the same: a run logs often, and its settings take longest to read. */
  readonly #toSetup = ({ path, file }: EventPart): Setup => {
    const [args, model] = [file.texts.get(ARGUMENTS), file.texts.get(MODEL)];
    const known = this.#setups.get(path);
    if (known && known.texts[0] === args && known.texts[1] === model) return known;
    const setup = readSetup(path, args, model);
    this.#setups.set(path, setup);
    return setup;
  };
}

/** How a run was set up, as its event file says. */
interface Setup {
  readonly texts: readonly [args: string | undefined, model: string | undefined];
  readonly args: JsonObject | null;
  readonly model: JsonObject | null;
  readonly parameters: Map<string, Fact<ParameterValue>>;
  readonly environment: Map<string, Fact<string>>;
}

function readSetup(file: string, argsText: string | undefined, modelText: string | undefined): Setup {
  const args = readObject(argsText);
  const model = readObject(modelText);
  const sourceOf = (place: string | null): FactSource => ({ file, place });
  return {
    texts: [argsText, modelText],
    args,
    model,
    parameters: toParameters(args, model, sourceOf),
    environment: toEnvironment(model, sourceOf(MODEL)),
  };
}

function toRunEvidence(
  parts: readonly EventPart[],
  folder: string,
  index: number,
  toSetup: (part: EventPart) => Setup,
): RunEvidence {
  const [first] = parts;
  const training = parts.findLast(trains) ?? parts.at(-1);
  if (!first || !training) throw new Error('A run has at least one part');
  const { args, model, parameters, environment } = toSetup(training);
  const all = joinCurves(parts);
  const curves = new Map(
    [...all].filter(
      // Each session of a resumed run logs its own mean of the losses.
      ([name, { length }]) => length > 0 && (!isSummaryFigure(name) || (length > 1 && toStepName(name) === name)),
    ),
  );
  const sourceOf = (place: string | null): FactSource => ({ file: training.path, place });
  const isHf = args !== null || parts.some(({ file }) => file.texts.has(ARGUMENTS));
  const [, output = '', trial] = (isHf && HF_FOLDER.exec(folder)) || [];
  const method =
    (args && methodOfSettings((name) => Object.hasOwn(args, name))) ?? methodOfMetrics((name) => curves.has(name));
  const outputDir = toText(args?.['output_dir']);
  const name = toText(args?.['run_name']);
  const argsSource = sourceOf(ARGUMENTS);
  const base = toText(model?.['_name_or_path']);
  const progress = toProgress(all, args);
  const sign = findFinish(training, sourceOf) ?? findLastStep(progress, training, sourceOf);
  const start = first.file.firstTime ?? startOf(baseName(first.path)) * 1000;
  return toEvidence({
    format: FORMAT,
    key: index === 0 ? folder : first.path,
    folder: isHf && HF_FOLDER.test(folder) ? pathIn(output, trial ?? '').replace(/\/$/, '') : folder,
    outputDir: outputDir === null ? null : { value: outputDir, source: argsSource },
    // transformers 4 fills it with the output folder where nobody gave a name.
    name: name === null || name === outputDir ? null : { value: name, source: argsSource },
    baseModel: base === null ? null : { value: base, source: sourceOf(MODEL) },
    method: method === null ? null : { value: method, source: args ? argsSource : sourceOf(null) },
    parameters,
    environment,
    curves,
    curveSource: sourceOf(null),
    summary: toSummary(all, sourceOf),
    progress,
    signs: sign ? [sign] : [],
    process: readProcess(baseName(training.path)),
    startedAt: start > 0 ? start : null,
    endedAt: sign?.kind === 'finished' ? sign.at : null,
    lastSignAt: Math.max(...parts.map(({ modifiedAt }) => modifiedAt)),
    lastEventAt: toLastEvent(parts),
    seconds: toSeconds(parts.filter(trains)),
    problems: parts.flatMap(({ path, file }) => file.problems(baseName(path))),
  });
}

/** A file that grows for so long is written by a trainer, and not copied. */
const GROWING_MS = 60_000;

function toLastEvent(parts: readonly EventPart[]): number | null {
  if (parts.some(({ modifiedAt, seenAt }) => modifiedAt - seenAt > GROWING_MS)) return null;
  const last = Math.max(...parts.map(({ file }) => file.lastTime ?? -Infinity));
  return Number.isFinite(last) ? last : null;
}

/** Of several files in one folder, each of one session. */
function toSeconds(parts: readonly EventPart[]): number | null {
  if (parts.length < 2) return null;
  let sum = 0;
  for (const { file } of parts) {
    const { firstTime, lastTime } = file;
    const measured = lastValue(file.curves.get('train/train_runtime'));
    const seconds = measured ?? (firstTime === null || lastTime === null ? null : (lastTime - firstTime) / 1000);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum;
}

type SourceOf = (place: string | null) => FactSource;

/** null also for what another program wrote under the same tag. */
const readObject = (text: string | undefined): JsonObject | null =>
  text === undefined ? null : parseLooseObject(text);

function toParameters(
  args: JsonObject | null,
  model: JsonObject | null,
  sourceOf: SourceOf,
): Map<string, Fact<ParameterValue>> {
  const found = new Map<string, Fact<ParameterValue>>();
  if (args) addSettings(found, args, sourceOf(ARGUMENTS));
  if (model) addSettings(found, model, sourceOf(MODEL), (key) => `model_config.${key}`);
  return found;
}

function toEnvironment(model: JsonObject | null, source: FactSource): Map<string, Fact<string>> {
  const found = new Map<string, Fact<string>>();
  for (const name of ['transformers', 'unsloth']) {
    const value = toText(model?.[`${name}_version`]);
    if (value !== null) found.set(name, { value, source });
  }
  return found;
}

const lastValue = (curve: Curve | undefined): number | null => toFinite(curve?.lastValue);

function toSummary(curves: ReadonlyMap<string, Curve>, sourceOf: SourceOf): Map<string, Fact<number>> {
  const found = new Map<string, Fact<number>>();
  for (const name of SUMMARY_FIGURES) {
    const value = lastValue(curves.get(name));
    if (value !== null) found.set(name, { value, source: sourceOf(`train/${name}`) });
  }
  return found;
}

function toProgress(curves: ReadonlyMap<string, Curve>, args: JsonObject | null): RunEvidence['progress'] {
  let step: number | null = null;
  for (const curve of curves.values()) {
    const last = curve.lastStep;
    if (last !== null) step = Math.max(step ?? last, last);
  }
  const maxSteps = toFinite(args?.['max_steps']);
  const epochs = toFinite(args?.['num_train_epochs']);
  const isBySteps = maxSteps !== null && maxSteps > 0;
  if (step === null && !isBySteps) return null;
  return {
    step,
    totalSteps: isBySteps ? maxSteps : null,
    epoch: lastValue(curves.get('epoch')),
    totalEpochs: isBySteps ? null : epochs,
  };
}

/**
 * HF logs `train_runtime` and `train_loss` together, at the end. With `include_num_input_tokens_seen` the runtime alone
 * comes with every row.
 */
function findFinish(part: EventPart, sourceOf: SourceOf): StatusSign | null {
  const { curves } = part.file;
  const loss = curves.get('train/train_loss');
  if (!loss || !curves.has('train/train_runtime')) return null;
  const at = toFinite(loss.lastTime);
  const reason = 'train/train_runtime and train/train_loss were logged';
  return { kind: 'finished', reason, at, source: sourceOf('train/train_runtime') };
}

function findLastStep(progress: RunEvidence['progress'], part: EventPart, sourceOf: SourceOf): StatusSign | null {
  const { step = null, totalSteps = null } = progress ?? {};
  if (step === null || totalSteps === null || step < totalSteps) return null;
  const reason = `it logged step ${step} of ${totalSteps}`;
  return { kind: 'complete', reason, at: part.file.lastTime, source: sourceOf(ARGUMENTS) };
}
