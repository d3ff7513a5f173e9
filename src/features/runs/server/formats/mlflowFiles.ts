// MLflow's file store (`mlruns/<experiment>/<run>/`): one file for each metric, parameter and tag.
import type { JsonObject } from '#core/contract/readJson.ts';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { baseName, filesBelow, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type { Claim, FolderView, FormatReader } from '#features/runs/server/reader.ts';
import { FolderReading, type LogLine, type WholeFile } from './folderReading.ts';
import { toFinite, toPositive, toText } from './looseJson.ts';
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
  open: (claim, folder) =>
    new FilesReading(folder.folders.get(baseName(claim.key)) ?? folder, { live: ['tail'], replacesRepeats: true }),
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

class FilesReading extends FolderReading {
  readonly #params = new Map<string, string>();
  readonly #tags = new Map<string, string>();
  /** `meta.yaml` of the run and its experiment, and of inputs, datasets and other runs of the experiment, by path. */
  readonly #metas = new Map<string, JsonObject>();

  protected override takeWhole({ path, content }: WholeFile): void {
    const [part, name] = this.#split(path);
    if (part === 'params') this.#params.set(name, toValue(content));
    else if (part === 'tags') this.#tags.set(name, toValue(content));
    else this.#metas.set(path, parseYamlRecord(content));
  }

  protected override takeLine({ path, text }: LogLine): void {
    // Time, value and step; newer versions add the dataset, the oldest have no step.
    const [time, value, step = 0] = text.split(' ').map(numberOf);
    if (time != null && value != null && step !== null)
      this.log.add(this.#split(path)[1], value, step, time, { file: path, place: null });
  }

  protected override forget(path: string): void {
    const [part, name] = this.#split(path);
    if (part === 'metrics') this.log.drop(name);
    else if (part === 'params') this.#params.delete(name);
    else if (part === 'tags') this.#tags.delete(name);
    else if (path === this.path(META)) this.#metas.delete(path);
  }

  evidence(): readonly RunEvidence[] {
    const meta = this.#metas.get(this.path(META));
    const experiment = this.#metas.get(this.#around(META));
    if (!meta || meta['lifecycle_stage'] === 'deleted' || experiment?.['lifecycle_stage'] === 'deleted') return [];
    const endedAt = toPositive(meta['end_time']);
    return [
      toMlflowEvidence({
        format: mlflowFiles.format,
        key: this.folder.path,
        id: toText(meta['run_id']) ?? toText(meta['run_uuid']),
        folder: this.folder.path,
        name: toText(meta['run_name']),
        experiment: toText(experiment?.['name']),
        parent: this.#findParent(),
        status: toStatus(meta['status']),
        startedAt: toPositive(meta['start_time']),
        endedAt,
        params: this.#params,
        tags: this.#tags,
        datasets: this.#findDatasets(),
        log: this.log,
        source: { file: this.path(META), place: null },
        paramSource: { file: this.path('params'), place: null },
        metricSource: { file: this.path('metrics'), place: null },
        lastSignAt: this.changedAt ?? endedAt ?? toPositive(meta['start_time']),
      }),
    ];
  }

  /** The name of the run that this one was started in. */
  #findParent(): string | null {
    const id = this.#tags.get(PARENT_TAG);
    const meta = id === undefined ? undefined : this.#metas.get(this.#around(`${id}/${META}`));
    return toText(meta?.['run_name']);
  }

  /** An input of the run names a dataset of the experiment by its id, which is a folder too. */
  #findDatasets(): readonly string[] {
    const inputs = [...this.#metas].filter(([path]) => path.startsWith(this.path('inputs/')));
    return inputs.flatMap(([, input]) => {
      const id = input['source_type'] === 'DATASET' ? toText(input['source_id']) : null;
      const dataset = id === null ? undefined : this.#metas.get(this.#around(`datasets/${id}/${META}`));
      return toText(dataset?.['name']) ?? [];
    });
  }

  /** The path of something in the experiment. */
  #around(name: string): string {
    return pathIn(folderOf(this.folder.path), name);
  }

  /** `metrics/eval/loss` becomes `['metrics', 'eval/loss']`. */
  #split(path: string): readonly [part: string, name: string] {
    const inner = path.startsWith(this.path('')) ? path.slice(this.path('').length) : '';
    const end = inner.indexOf('/');
    return end < 0 ? ['', inner] : [inner.slice(0, end), inner.slice(end + 1)];
  }
}

const toValue = (content: Uint8Array): string => new TextDecoder().decode(content.subarray(0, MAX_VALUE)).trimEnd();

const toStatus = (value: unknown): string => STATUSES[toFinite(value) ?? 0] ?? '';
