// SwanLab: the `.swanlab` file of a run, offline or local. Its folder has the names of one of W&B, and its file the blocks.
// Field numbers: swanlab/proto of 0.10.
import type { JsonObject } from '#core/contract/readJson.ts';
import { toEvidence, toFact, type Fact, type RunEvidence, type StatusSign } from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import { Unreadable, type FileChange, type FormatReader, type RunReading } from '#features/runs/server/reader.ts';
import { MetricLog } from './metricLog.ts';
import {
  findMessages,
  findNumber,
  findText,
  readFields,
  toProtoText,
  type ProtoField,
} from '#features/runs/server/encodings/protobufFields.ts';
import { toTrainerFacts, type TrainerFacts } from './trainerSettings.ts';
import { isObject } from '#core/contract/readJson.ts';
import { SWANLAB, WandbLog } from '#features/runs/server/encodings/wandbLog.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const LOG = /^run-.+\.swanlab$/;
const CONFIG = 'config.yaml';
/** `RunState` of 0.10, after RUNNING. */
const STATES: readonly (StatusSign['kind'] | null)[] = [null, 'finished', 'failed', 'interrupted'];
const WORDS = ['RUNNING', 'FINISHED', 'CRASHED', 'ABORTED'];

export const swanlab: FormatReader = {
  format: 'swanlab',
  label: 'SwanLab',
  recognise(folder) {
    const log = [...folder.files.keys()].find((name) => LOG.test(name));
    if (log === undefined) return [];
    const files = folder.folders.get('files');
    return [
      {
        key: folder.path,
        files: [
          { path: pathIn(folder.path, log), read: { mode: 'tail' } },
          ...(files?.files.has(CONFIG) ? [{ path: pathIn(files.path, CONFIG), read: { mode: 'whole' } } as const] : []),
        ],
      },
    ];
  },
  open: (_claim, folder) => new SwanlabReading(folder.path),
};

const toTime = (fields: readonly ProtoField[] | undefined): number | null => {
  const time = findNumber(fields ?? [], 1) * 1000 + findNumber(fields ?? [], 2) / 1e6;
  return time > 0 ? time : null;
};

class SwanlabReading implements RunReading {
  readonly #folder: string;
  readonly #file = new WandbLog(SWANLAB);
  readonly #log = new MetricLog();
  #start: readonly ProtoField[] = [];
  #finish: readonly ProtoField[] | null = null;
  #path = '';
  #facts: TrainerFacts | null = null;
  #changedAt: number | null = null;
  #damaged = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    if (change.kind === 'whole') this.#takeConfig(change.path, change.content);
    if (change.kind !== 'tail') return;
    this.#path = change.path;
    this.#changedAt = change.modifiedAt;
    if (change.isFromStart) this.#forget();
    for (const bytes of this.#file.take(change.content, change.isFromStart)) {
      try {
        this.#takeRecord(readFields(bytes));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        this.#damaged += 1;
      }
    }
  }

  evidence(): readonly RunEvidence[] {
    if (this.#path === '') return [];
    const source = { file: this.#path, place: 'start record' };
    const [project, name, group] = [1, 4, 7].map((field) => findText(this.#start, field));
    const tags = this.#start.filter(({ number }) => number === 6).map(toProtoText);
    const groups = [project, group].filter((part) => part !== undefined && part !== '').join(' / ');
    const isDamaged = this.#damaged + this.#file.damaged > 0;
    const toText = (text: string | undefined): Fact<string> | null => toFact(text ? text : null, source);
    return [
      toEvidence({
        format: swanlab.format,
        key: this.#folder,
        folder: this.#folder,
        trackerId: findText(this.#start, 10) || null,
        name: toText(name),
        group: toText(groups),
        tags,
        notes: toText(findText(this.#start, 5)),
        ...this.#facts?.evidence,
        curves: this.#log.curves,
        curveSource: { file: this.#path, place: 'scalars' },
        summary: this.#log.summary,
        progress: this.#log.toProgress(this.#facts?.totalSteps ?? null, this.#facts?.totalEpochs ?? null),
        signs: this.#toSigns(),
        startedAt: toTime(findMessages(this.#start, 12).at(-1)) ?? this.#log.firstTime,
        endedAt: this.#finish ? toTime(findMessages(this.#finish, 3).at(-1)) : null,
        lastSignAt: this.#changedAt,
        problems: [
          ...this.#log.problems,
          ...(isDamaged
            ? [`Parts of ${baseName(this.#path)} are damaged, so some rows may be missing. Copy the file again.`]
            : []),
        ],
      }),
    ];
  }

  #takeRecord(record: readonly ProtoField[]): void {
    for (const { number, bytes } of record) {
      if (number === 10) this.#start = readFields(new Uint8Array(bytes));
      else if (number === 11) this.#finish = readFields(new Uint8Array(bytes));
      else if (number === 13) this.#takeScalar(readFields(bytes));
    }
  }

  #takeScalar(fields: readonly ProtoField[]): void {
    const value = findMessages(fields, 5).at(-1);
    const key = findText(fields, 1);
    if (!value || key === '') return;
    const time = toTime(findMessages(fields, 4).at(-1));
    this.#log.add(key, findNumber(value, 1), findNumber(fields, 2), time, { file: this.#path, place: 'scalars' });
  }

  /** `lr: {desc, sort, value}` */
  #takeConfig(path: string, content: Uint8Array): void {
    const entries = Object.entries(parseYamlRecord(content));
    const settings: JsonObject = Object.fromEntries(
      entries.flatMap(([name, entry]) => (isObject(entry) && 'value' in entry ? [[name, entry['value']]] : [])),
    );
    this.#facts = toTrainerFacts(settings, { file: path, place: null });
  }

  #toSigns(): readonly StatusSign[] {
    if (!this.#finish) return [];
    const state = findNumber(this.#finish, 1);
    const kind = STATES[state];
    const error = findText(this.#finish, 2).trim().split('\n').at(-1) ?? '';
    const reason = `SwanLab state ${WORDS[state] ?? state}${error === '' ? '' : `: ${error.slice(0, 500)}`}`;
    const at = toTime(findMessages(this.#finish, 3).at(-1));
    return kind ? [{ kind, reason, at, source: { file: this.#path, place: 'finish record' } }] : [];
  }

  #forget(): void {
    this.#log.clear();
    this.#start = [];
    this.#finish = null;
    this.#damaged = 0;
  }
}
