// MLflow's file store (`mlruns/<experiment>/<run>/`): one file for each metric, parameter and tag.
import type { JsonObject } from '#core/contract/reading.ts';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { filesBelow, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type { Claim, FileChange, FolderView, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { toFinite, toPositive, toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { isSystemMetric, PARENT_TAG, toMlflowEvidence } from './mlflow.ts';
import { numberOf } from './pythonDict.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const META = 'meta.yaml';
const MAX_FILES = 3000;
const MAX_PARENTS = 100;
const MAX_VALUE = 10_000;
const PARTS = ['metrics', 'params', 'tags'] as const;
/** `RunStatus` of MLflow's service.proto. */
const STATUSES = ['', 'RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED'];

export const mlflowFiles: FormatReader = {
  format: 'mlflow-files',
  label: 'MLflow files',
  recognise(folder) {
    if (folder.path.split('/').includes('.trash') || !folder.files.has(META)) return [];
    if (folder.path === '' && isRun(folder)) return [toClaim(folder, null)];
    return [...folder.folders.values()].filter(isRun).map((run) => toClaim(run, folder));
  },
  open: (claim) => new FilesReading(claim.key),
};

const isRun = (folder: FolderView): boolean =>
  folder.files.has(META) && ['artifacts', ...PARTS].some((name) => folder.folders.has(name));

/** The runs of an experiment name each other, and their datasets, by folders of the experiment. */
function toShared(run: FolderView, experiment: FolderView): readonly string[] {
  // Which of them it is stands in a tag, that is not read yet. Most are started in one that was not started in another.
  const parents = [...experiment.folders.values()]
    .filter((other) => other !== run && isRun(other))
    .toSorted((a, b) => Number(mayBeNested(a)) - Number(mayBeNested(b)))
    .slice(0, MAX_PARENTS);
  const inputs = [...(run.folders.get('inputs')?.folders.values() ?? [])];
  const datasets = [...(experiment.folders.get('datasets')?.folders.values() ?? [])];
  const metas = [...inputs, ...(inputs.length > 0 ? datasets : []), ...(mayBeNested(run) ? parents : [])];
  return metas.filter(({ files }) => files.has(META)).map(({ path }) => pathIn(path, META));
}

const mayBeNested = (run: FolderView): boolean => run.folders.get('tags')?.files.has(PARENT_TAG) ?? false;

function toClaim(run: FolderView, experiment: FolderView | null): Claim {
  const values = PARTS.flatMap((part) => {
    const folder = run.folders.get(part);
    return folder ? filesBelow(folder) : [];
  });
  const metrics = pathIn(run.path, 'metrics/');
  const wanted = values
    .map(({ path }) => ({ path, read: { mode: path.startsWith(metrics) ? 'tail' : 'whole' } }) as const)
    .filter(({ path }) => !path.startsWith(metrics) || !isSystemMetric(path.slice(metrics.length)));
  const shared = experiment ? [pathIn(experiment.path, META), ...toShared(run, experiment)] : [];
  const metas = [...shared.slice(0, MAX_FILES), pathIn(run.path, META)];
  return {
    key: run.path,
    files: [...metas.map((path) => ({ path, read: { mode: 'whole' } as const })), ...wanted.slice(0, MAX_FILES)],
  };
}

class FilesReading implements RunReading {
  readonly #folder: string;
  readonly #log = new MetricLog({ replacesRepeats: true });
  readonly #tails = new Map<string, LogTail>();
  readonly #params = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  #meta: JsonObject | null = null;
  #experiment: JsonObject | null = null;
  /** `meta.yaml` of inputs, datasets and other runs of the experiment, by path. */
  readonly #shared = new Map<string, JsonObject>();
  #changedAt: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const [part, name] = this.#split(change.path);
    if (change.kind === 'gone') this.#drop(part, name);
    else if (change.kind === 'tail') {
      this.#changedAt = Math.max(this.#changedAt ?? 0, change.modifiedAt);
      this.#takeMetric(name, change.path, change.content, change.isFromStart);
    } else if (change.kind !== 'whole') return;
    else if (part === 'params') this.#params.set(name, toValue(change.content));
    else if (part === 'tags') this.#tags.set(name, toValue(change.content));
    else if (change.path === this.#path(META)) this.#meta = parseYamlRecord(change.content);
    else if (change.path === pathIn(folderOf(this.#folder), META)) this.#experiment = parseYamlRecord(change.content);
    else this.#shared.set(change.path, parseYamlRecord(change.content));
  }

  evidence(): readonly RunEvidence[] {
    const meta = this.#meta;
    if (!meta || meta['lifecycle_stage'] === 'deleted' || this.#experiment?.['lifecycle_stage'] === 'deleted')
      return [];
    const endedAt = toPositive(meta['end_time']);
    return [
      toMlflowEvidence({
        format: mlflowFiles.format,
        key: this.#folder,
        id: toText(meta['run_id']) ?? toText(meta['run_uuid']),
        folder: this.#folder,
        name: toText(meta['run_name']),
        experiment: toText(this.#experiment?.['name']),
        parent: this.#findParent(),
        status: toStatus(meta['status']),
        startedAt: toPositive(meta['start_time']),
        endedAt,
        params: this.#params,
        tags: this.#tags,
        datasets: this.#findDatasets(),
        log: this.#log,
        source: { file: this.#path(META), place: null },
        paramSource: { file: this.#path('params'), place: null },
        metricSource: { file: this.#path('metrics'), place: null },
        lastSignAt: this.#changedAt ?? endedAt ?? toPositive(meta['start_time']),
      }),
    ];
  }

  /** The name of the run that this one was started in. */
  #findParent(): string | null {
    const id = this.#tags.get(PARENT_TAG);
    const meta = id === undefined ? undefined : this.#shared.get(pathIn(folderOf(this.#folder), `${id}/${META}`));
    return toText(meta?.['run_name']);
  }

  /** An input of the run names a dataset of the experiment by its id, which is a folder too. */
  #findDatasets(): readonly string[] {
    const inputs = [...this.#shared].filter(([path]) => path.startsWith(this.#path('inputs/')));
    return inputs.flatMap(([, input]) => {
      const id = input['source_type'] === 'DATASET' ? toText(input['source_id']) : null;
      const dataset =
        id === null ? undefined : this.#shared.get(pathIn(folderOf(this.#folder), `datasets/${id}/${META}`));
      return toText(dataset?.['name']) ?? [];
    });
  }

  #path(name: string): string {
    return pathIn(this.#folder, name);
  }

  /** `metrics/eval/loss` becomes `['metrics', 'eval/loss']`. */
  #split(path: string): readonly [part: string, name: string] {
    const inner = path.startsWith(this.#path('')) ? path.slice(this.#path('').length) : '';
    const end = inner.indexOf('/');
    return end < 0 ? ['', inner] : [inner.slice(0, end), inner.slice(end + 1)];
  }

  #takeMetric(name: string, path: string, content: Uint8Array, isFromStart: boolean): void {
    const tail = this.#tails.get(path) ?? new LogTail();
    this.#tails.set(path, tail);
    if (isFromStart) this.#log.drop(name);
    const source = { file: path, place: null };
    for (const line of tail.take(content, isFromStart)) {
      // Time, value and step; newer versions add the dataset, the oldest have no step.
      const [time, value, step = 0] = line.split(' ').map((part) => numberOf(part));
      if (time != null && value != null && step !== null) this.#log.add(name, value, step, time, source);
    }
  }

  #drop(part: string, name: string): void {
    if (part === 'metrics') this.#log.drop(name);
    else if (part === 'params') this.#params.delete(name);
    else if (part === 'tags') this.#tags.delete(name);
    else if (name === META) this.#meta = null;
  }
}

const toValue = (content: Uint8Array): string => new TextDecoder().decode(content.subarray(0, MAX_VALUE)).trimEnd();

const toStatus = (value: unknown): string => STATUSES[toFinite(value) ?? 0] ?? '';
