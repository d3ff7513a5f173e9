// Axolotl: `debug.log` has the resolved settings, the console with its rows, and the end. The model card has the
// settings as they were written.
import { arrayOr, type JsonObject } from '#core/contract/reading.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileChange, FormatReader, RunReading } from '#features/runs/server/reader.ts';
import { LogTail } from './logTail.ts';
import { parseLooseObject, toFinite, toPositive, toRecord, toText } from './looseJson.ts';
import { addSettings } from './settings.ts';
import { TracebackWatch } from './traceback.ts';
import { TrainerConsole } from './trainerConsole.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';

const LOG = 'debug.log';
const CARD = 'README.md';
/** `[2026-08-22 10:07:04,123] [INFO] [axolotl.train.save_trained_model:267] [PID:4242] message` */
const LINE = /^\[[^\]]+\] \[[A-Z]+\] \[(axolotl[\w.]*):\d+\] \[PID:\d+\](?: ?\[RANK:\d+\])? ?(.*)$/;
const CARD_CONFIG = /See axolotl config<\/summary>\s+axolotl version: `([^`\n]{1,60})`\s+```ya?ml\n([\s\S]*?)\n```/;
const MAX_CONFIG_LINES = 50_000;
/** What Axolotl writes for its own keys and tokens. */
const REDACTED = '[REDACTED]';

interface Config {
  readonly values: JsonObject;
  readonly source: FactSource;
}

export const axolotl: FormatReader = {
  format: 'axolotl',
  label: 'Axolotl',
  recognise(folder) {
    // W&B keeps a log with this name too.
    if (folder.path.endsWith('/logs')) return [];
    const isModel = folder.files.has('adapter_config.json') || folder.files.has('config.json');
    const names = [...(folder.files.has(LOG) ? [LOG] : []), ...(isModel && folder.files.has(CARD) ? [CARD] : [])];
    if (names.length === 0) return [];
    const files = names.map(
      (name) => ({ path: pathIn(folder.path, name), read: { mode: name === LOG ? 'tail' : 'whole' } }) as const,
    );
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new AxolotlReading(folder.path),
};

class AxolotlReading implements RunReading {
  readonly #folder: string;
  readonly #tail = new LogTail({ isConsole: true });
  readonly #errors = new TracebackWatch();
  #console = new TrainerConsole();
  #line = 0;
  /** The lines of the settings while they come in. */
  #configLines: string[] | null = null;
  #configLine = 0;
  #config: Config | null = null;
  #cardConfig: Config | null = null;
  #version: Fact<string> | null = null;
  #end: { readonly kind: 'finished' | 'complete'; readonly reason: string; readonly line: number } | null = null;
  #changedAt: number | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const name = baseName(change.path);
    if (change.kind === 'gone') {
      if (name === LOG) this.#forgetLog();
      else this.#cardConfig = null;
    } else if (change.kind === 'whole') this.#takeCard(change.path, new TextDecoder().decode(change.content));
    else if (change.kind === 'tail') {
      if (change.isFromStart) this.#forgetLog();
      this.#changedAt = change.modifiedAt;
      for (const line of this.#tail.take(change.content, change.isFromStart)) this.#takeLine(line);
      this.#console.takeBar(this.#tail.openLine);
    }
  }

  evidence(): readonly RunEvidence[] {
    const config = this.#config ?? this.#cardConfig;
    if (!config) return [];
    const { values, source } = config;
    const datasets = readDatasets(values);
    const { log } = this.#console;
    return [
      toEvidence({
        format: axolotl.format,
        key: this.#folder,
        folder: this.#folder,
        curveSource: { file: pathIn(this.#folder, LOG), place: null },
        outputDir: toFact(toText(values['output_dir']), source),
        name: toFact(toText(values['wandb_name']), source),
        group: toFact(toText(values['wandb_project']), source),
        baseModel: toFact(toText(values['base_model']), source),
        datasets: datasets.length > 0 ? { value: datasets, source } : null,
        method: toFact(readMethod(values), source),
        // Without an adapter Axolotl trains all weights.
        isAdapter: { value: toText(values['adapter']) !== null, source },
        parameters: this.#toParameters(),
        environment: new Map(this.#version ? [['axolotl', this.#version]] : []),
        curves: log.curves,
        summary: log.summary,
        progress: log.toProgress(
          this.#console.totalSteps ?? toPositive(values['max_steps']),
          toFinite(values['num_epochs']),
        ),
        signs: this.#toSigns(),
        lastSignAt: this.#changedAt,
      }),
    ];
  }

  #takeLine(line: string): void {
    this.#line += 1;
    if (this.#configLines) {
      this.#takeConfigLine(this.#configLines, line);
      return;
    }
    const [, logger, message] = LINE.exec(line) ?? [];
    if (logger !== undefined && message !== undefined) this.#takeMessage(message);
    else this.#takePrinted(line);
  }

  #takeMessage(message: string): void {
    if (message === 'config:') {
      this.#configLines = [];
      this.#configLine = this.#line;
    } else if (message.startsWith('Starting trainer')) {
      this.#console.begin();
      this.#end = null;
      this.#errors.clear();
    } else if (message.startsWith('Training completed! Saving trained model')) {
      this.#console.end();
      this.#end = { kind: 'complete', reason: 'Axolotl logged "Training completed!"', line: this.#line };
    } else if (message.startsWith('Model successfully saved to ')) {
      this.#end = { kind: 'finished', reason: 'Axolotl logged "Model successfully saved"', line: this.#line };
    }
  }

  #takePrinted(line: string): void {
    const kind = this.#console.takeLine(line, this.#source(this.#line));
    if (kind === 'other') this.#errors.take(line);
    else if (kind !== 'bar') this.#errors.clear();
  }

  /** The settings are indented JSON: a brace at the start of a line ends them. */
  #takeConfigLine(lines: string[], line: string): void {
    lines.push(line);
    if (line !== '}' && lines.length < MAX_CONFIG_LINES) return;
    this.#configLines = null;
    const values = parseLooseObject(lines.join('\n'));
    // null: a second process wrote into the same lines. The model card may have the settings.
    if (values) this.#config = { values: withoutRedacted(values), source: this.#source(this.#configLine) };
  }

  #takeCard(path: string, text: string): void {
    const [, version, yaml] = CARD_CONFIG.exec(text) ?? [];
    this.#cardConfig = null;
    if (version === undefined || yaml === undefined) return;
    const source = { file: path, place: 'axolotl config' };
    this.#version = { value: version, source };
    this.#cardConfig = { values: parseYamlRecord(yaml), source };
  }

  #toParameters(): ReadonlyMap<string, Fact<ParameterValue>> {
    const parameters = new Map<string, Fact<ParameterValue>>();
    for (const config of [this.#config, this.#cardConfig]) {
      if (config) addSettings(parameters, config.values, config.source);
    }
    return parameters;
  }

  #toSigns(): readonly StatusSign[] {
    const signs: StatusSign[] = [];
    const end = this.#end;
    if (end) signs.push({ kind: end.kind, reason: end.reason, at: null, source: this.#source(end.line) });
    return [...signs, ...this.#errors.toSigns(this.#source(this.#line), null)];
  }

  #source(line: number): FactSource {
    return { file: pathIn(this.#folder, LOG), place: `line ${line}` };
  }

  #forgetLog(): void {
    this.#console = new TrainerConsole();
    this.#line = 0;
    this.#configLines = null;
    this.#config = null;
    this.#end = null;
    this.#errors.clear();
    this.#changedAt = null;
  }
}

const withoutRedacted = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== REDACTED));

const readDatasets = (values: JsonObject): readonly string[] =>
  ['datasets', 'pretraining_dataset']
    .flatMap((key) => (typeof values[key] === 'string' ? [values[key]] : arrayOr(values[key])))
    .map((dataset) => (typeof dataset === 'string' ? dataset : toText(toRecord(dataset)['path'])))
    .filter((path) => path !== null);

function readMethod(values: JsonObject): string | null {
  if (values['reward_model'] === true) return 'reward';
  return toText(values['rl']) ?? ('pretraining_dataset' in values ? 'pretraining' : null);
}
