// TensorBoard's event files, of Hugging Face's trainers and of any other program. One claim is a folder with event files.
import type { JsonObject } from '#core/contract/readJson.ts';
import type { Curve } from '#features/runs/server/curve.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { isSummaryFigure, SUMMARY_FIGURES, toStepName } from '#features/runs/server/metricNames.ts';
import { baseName, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type { Claim, FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { EventFile } from './eventFile.ts';
import {
  byStart,
  findEventFiles,
  isInner,
  readProcess,
  startOf,
  toInnerFolder,
  type InnerFolder,
} from './eventFolders.ts';
import { ARGUMENTS, isHparams, joinCurves, MODEL, toRuns, trains, type EventPart } from './eventParts.ts';
import { WrittenSettings } from './folderReading.ts';
import { findRestarts } from './metricLog.ts';
import { parseLooseObject, toFinite, toText } from './looseJson.ts';
import { addSettings, toParameters } from './settings.ts';
import { methodOfMetrics, methodOfSettings } from './trainingMethod.ts';

const FORMAT = 'tensorboard';
/** HF's default: `<output_dir>/runs/<month and day>_<time>_<host>`, and below it the name of a trial. */
const HF_FOLDER = /^(?:(.*)\/)?runs\/\D{1,12}\d\d_\d\d-\d\d-\d\d_[^/]+(?:\/([^/]+))?$/;

export const tensorboardFormat: FormatReader = {
  format: FORMAT,
  label: 'TensorBoard',

  recognise(folder: FolderView): readonly Claim[] {
    const files = isInner(folder) ? [] : findEventFiles(folder);
    if (files.length === 0) return [];
    return [{ key: folder.path, files: files.map((path) => ({ path, read: { mode: 'tail' } as const })) }];
  },

  open: (_claim: Claim, folder: FolderView): RunReading => new EventReading(folder.path),
};

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
    return (this.#evidence ??= this.#toEvidence());
  }

  #toEvidence(): readonly RunEvidence[] {
    const sorted = [...this.#parts.values()].sort((a, b) => byStart(baseName(a.path), baseName(b.path)));
    const folders = new Map<string, EventPart[]>();
    for (const part of sorted) {
      const inFolder = folders.get(folderOf(part.path)) ?? [];
      folders.set(folderOf(part.path), inFolder);
      inFolder.push(part);
    }
    const own = folders.get(this.#folder) ?? [];
    const runs = toRuns(own).map((parts) => ({ parts, inner: [] as InnerFolder[] }));
    const others: RunEvidence[] = [];
    for (const [folder, parts] of folders) {
      if (folder === this.#folder) continue;
      const inner = toInnerFolder(this.#folder, parts);
      const begun = (part: EventPart | undefined): number => startOf(baseName(part?.path ?? ''));
      const run = inner && (runs.findLast((each) => begun(each.parts[0]) <= begun(parts[0])) ?? runs[0]);
      if (run) run.inner.push(inner);
      else others.push(...toRuns(parts).map((each, index) => toRunEvidence(each, [], folder, index, this.#toSetup)));
    }
    return [
      ...runs.map(({ parts, inner }, index) => toRunEvidence(parts, inner, this.#folder, index, this.#toSetup)),
      ...others,
    ];
  }

  /** The same object as long as the texts are the same: a run logs often, and its settings take longest to read. */
  readonly #toSetup = ({ path, file }: EventPart, hparams: readonly EventPart[]): Setup => {
    const written = [file.texts.get(ARGUMENTS), file.texts.get(MODEL), ...hparams.map((part) => part.file.hparams)];
    const known = this.#setups.get(path);
    if (known?.written.length === written.length && known.written.every((each, at) => each === written[at]))
      return known;
    const setup = readSetup(path, file, hparams, written);
    this.#setups.set(path, setup);
    return setup;
  };
}

/** How a run was set up, as its event files say. */
interface Setup {
  /** What it was read of. */
  readonly written: readonly unknown[];
  readonly args: JsonObject | null;
  readonly model: JsonObject | null;
  readonly parameters: Map<string, Fact<ParameterValue>>;
  readonly environment: Map<string, Fact<string>>;
}

function readSetup(
  path: string,
  { texts }: EventFile,
  hparams: readonly EventPart[],
  written: readonly unknown[],
): Setup {
  const args = readObject(texts.get(ARGUMENTS));
  const model = readObject(texts.get(MODEL));
  const sourceOf = (place: string | null): FactSource => ({ file: path, place });
  const parameters = toParameters(args ?? {}, sourceOf(ARGUMENTS));
  if (model) addSettings(parameters, model, sourceOf(MODEL), (key) => `model_config.${key}`);
  for (const { path: file, file: part } of hparams)
    if (part.hparams) addSettings(parameters, part.hparams, { file, place: 'hparams' });
  return { written, args, model, parameters, environment: toEnvironment(model, sourceOf(MODEL)) };
}

function toRunEvidence(
  own: readonly EventPart[],
  inner: readonly InnerFolder[],
  folder: string,
  index: number,
  toSetup: (part: EventPart, hparams: readonly EventPart[]) => Setup,
): RunEvidence {
  const [first] = own;
  // What `add_hparams` wrote are no steps of the run.
  const parts = own.filter((part) => part === first || !isHparams(part));
  const files = [...own, ...inner.flatMap((each) => each.parts)];
  const settings = own.filter(({ file }) => file.hparams !== null);
  const figures = settings.filter((part) => part !== first && isHparams(part));
  for (const each of inner) {
    if (each.line) continue;
    settings.push(...each.parts);
    figures.push(...each.parts);
  }
  const training = parts.findLast(trains) ?? parts.at(-1);
  if (!first || !training) throw new Error('A run has at least one part');
  const { args, model, parameters, environment } = toSetup(training, settings);
  const all = withLines(joinCurves(parts), inner);
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
  const given = new WrittenSettings(args ?? {}, sourceOf(ARGUMENTS));
  const outputDir = given.text('output_dir');
  const name = given.text('run_name');
  const progress = toProgress(all, args);
  const sign = findFinish(training, sourceOf) ?? findLastStep(progress, training, sourceOf);
  const start = first.file.firstTime ?? startOf(baseName(first.path)) * 1000;
  return toEvidence({
    format: FORMAT,
    key: index === 0 ? folder : first.path,
    folder: isHf && HF_FOLDER.test(folder) ? pathIn(output, trial ?? '').replace(/\/$/, '') : folder,
    outputDir,
    // transformers 4 fills it with the output folder where nobody gave a name.
    name: name?.value === outputDir?.value ? null : name,
    baseModel: new WrittenSettings(model ?? {}, sourceOf(MODEL)).text('_name_or_path'),
    method: toFact(method, args ? given.source : sourceOf(null)),
    parameters,
    environment,
    curves,
    curveSource: sourceOf(null),
    summary: toSummary(all, figures, sourceOf),
    progress,
    signs: sign ? [sign] : [],
    process: readProcess(baseName(training.path)),
    startedAt: start > 0 ? start : null,
    endedAt: sign?.kind === 'finished' ? sign.at : null,
    lastSignAt: Math.max(...files.map(({ modifiedAt }) => modifiedAt)),
    lastEventAt: toLastEvent(files),
    seconds: toSeconds(parts.filter(trains)),
    problems: [
      ...findRestarts(all),
      ...parts.flatMap(({ file }) => findRestarts(file.curves)).slice(0, parts.length > 1 ? 1 : 0),
      ...own.flatMap(({ path, file }) => file.problems(baseName(path))),
    ],
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

/** Curves with the lines of `add_scalars`; one whose name is taken keeps its own. */
function withLines(curves: ReadonlyMap<string, Curve>, inner: readonly InnerFolder[]): ReadonlyMap<string, Curve> {
  const all = new Map(curves);
  for (const { line, parts } of inner) {
    if (!line) continue;
    const name = all.has(line.name) ? baseName(folderOf(parts[0]?.path ?? line.name)) : line.name;
    if (!all.has(name)) all.set(name, line.curve);
  }
  return all;
}

type SourceOf = (place: string | null) => FactSource;

/** null also for what another program wrote under the same tag. */
const readObject = (text: string | undefined): JsonObject | null =>
  text === undefined ? null : parseLooseObject(text);

function toEnvironment(model: JsonObject | null, source: FactSource): Map<string, Fact<string>> {
  const found = new Map<string, Fact<string>>();
  for (const name of ['transformers', 'unsloth']) {
    const value = toText(model?.[`${name}_version`]);
    if (value !== null) found.set(name, { value, source });
  }
  return found;
}

const lastValue = (curve: Curve | undefined): number | null => toFinite(curve?.lastValue);

function toSummary(
  curves: ReadonlyMap<string, Curve>,
  hparams: readonly EventPart[],
  sourceOf: SourceOf,
): Map<string, Fact<number>> {
  const found = new Map<string, Fact<number>>();
  for (const { path, file } of hparams)
    for (const [tag, curve] of file.curves) {
      const value = lastValue(curve);
      if (value !== null) found.set(tag, { value, source: { file: path, place: 'hparams' } });
    }
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
