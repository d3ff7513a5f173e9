// Axolotl: `debug.log` has the resolved settings, the console with its rows, and the end. The model card has the
// settings as they were written.
import { arrayOr, type JsonObject } from '#core/contract/readJson.ts';
import { parseYamlRecord } from '#features/runs/server/encodings/yamlText.ts';
import type { RunEvidence, StatusSign } from '#features/runs/server/evidence.ts';
import { baseName } from '#features/runs/server/paths.ts';
import type { FormatReader } from '#features/runs/server/reader.ts';
import {
  FolderReading,
  sourceOfLine,
  wantFiles,
  WrittenSettings,
  type LogLine,
  type WholeFile,
} from './folderReading.ts';
import { parseLooseObject, toFinite, toPositive, toRecord, toText } from './looseJson.ts';
import { addSettings } from './settings.ts';
import { TrainerConsole } from './trainerConsole.ts';

const LOG = 'debug.log';
const CARD = 'README.md';
/** `[2026-08-22 10:07:04,123] [INFO] [axolotl.train.save_trained_model:267] [PID:4242] message` */
const LINE = /^\[[^\]]+\] \[[A-Z]+\] \[(axolotl[\w.]*):\d+\] \[PID:\d+\](?: ?\[RANK:\d+\])? ?(.*)$/;
const CARD_CONFIG = /See axolotl config<\/summary>\s+axolotl version: `([^`\n]{1,60})`\s+```ya?ml\n([\s\S]*?)\n```/;
const MAX_CONFIG_LINES = 50_000;
/** What Axolotl writes for its own keys and tokens. */
const REDACTED = '[REDACTED]';

export const axolotl: FormatReader = {
  format: 'axolotl',
  label: 'Axolotl',
  recognise(folder) {
    // W&B keeps a log with this name too.
    if (folder.path.endsWith('/logs')) return [];
    const isModel = folder.files.has('adapter_config.json') || folder.files.has('config.json');
    const files = [...wantFiles(folder, 'tail', [LOG]), ...wantFiles(folder, 'whole', isModel ? [CARD] : [])];
    return files.length === 0 ? [] : [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new AxolotlReading(folder, { live: ['tail'], isConsole: true }),
};

class AxolotlReading extends FolderReading {
  #console = new TrainerConsole();
  #last: LogLine | null = null;
  /** The settings while they come in, and the line above them. */
  #open: { readonly lines: string[]; readonly head: LogLine } | null = null;
  #card: WrittenSettings | null = null;
  #version = '';
  #end: StatusSign | null = null;

  evidence(): readonly RunEvidence[] {
    const written = this.settings ?? this.#card;
    if (!written) return [];
    const { values } = written;
    const { log, totalSteps } = this.#console;
    const parameters = new Map(this.parameters);
    const card = this.#card;
    if (card) addSettings(parameters, card.values, card.source);
    return this.toEvidence(axolotl.format, {
      curveSource: { file: this.path(LOG), place: null },
      outputDir: written.text('output_dir'),
      name: written.text('wandb_name'),
      group: written.text('wandb_project'),
      baseModel: written.text('base_model'),
      datasets: written.texts(readDatasets(values)),
      method: written.fact(readMethod(values)),
      // Without an adapter Axolotl trains all weights.
      isAdapter: written.fact(toText(values['adapter']) !== null),
      parameters,
      environment: new Map(card ? [['axolotl', { value: this.#version, source: card.source }]] : []),
      curves: log.curves,
      summary: log.summary,
      progress: log.toProgress(totalSteps ?? toPositive(values['max_steps']), toFinite(values['num_epochs'])),
      signs: [
        ...(this.#end ? [this.#end] : []),
        ...(this.#last ? this.errors.toSigns(sourceOfLine(this.#last), null) : []),
      ],
    });
  }

  protected override takeLine(line: LogLine): void {
    this.#last = line;
    if (this.#open) return this.#takeConfigLine(this.#open, line.text);
    const [, logger, message] = LINE.exec(line.text) ?? [];
    if (logger !== undefined && message !== undefined) return this.#takeMessage(message, line);
    const kind = this.#console.takeLine(line.text, sourceOfLine(line));
    if (kind === 'other') this.errors.take(line.text);
    else if (kind !== 'bar') this.errors.clear();
    return undefined;
  }

  protected override takeOpenLine(line: string): void {
    this.#console.takeBar(line);
  }

  #takeMessage(message: string, line: LogLine): void {
    const source = sourceOfLine(line);
    if (message === 'config:') this.#open = { lines: [], head: line };
    else if (message.startsWith('Starting trainer')) {
      this.#console.begin();
      this.#end = null;
      this.errors.clear();
    } else if (message.startsWith('Training completed! Saving trained model')) {
      this.#console.end();
      this.#end = { kind: 'complete', reason: 'Axolotl logged "Training completed!"', at: null, source };
    } else if (message.startsWith('Model successfully saved to ')) {
      this.#end = { kind: 'finished', reason: 'Axolotl logged "Model successfully saved"', at: null, source };
    }
  }

  /** The settings are indented JSON: a brace at the start of a line ends them. */
  #takeConfigLine({ lines, head }: { lines: string[]; head: LogLine }, text: string): void {
    lines.push(text);
    if (text !== '}' && lines.length < MAX_CONFIG_LINES) return;
    this.#open = null;
    const values = parseLooseObject(lines.join('\n'));
    // null: a second process wrote into the same lines. The model card may have the settings.
    if (values) this.takeSettings(withoutRedacted(values), sourceOfLine(head));
  }

  protected override takeWhole({ path, content }: WholeFile): void {
    const [, version, yaml] = CARD_CONFIG.exec(new TextDecoder().decode(content)) ?? [];
    this.#card = null;
    if (version === undefined || yaml === undefined) return;
    this.#version = version;
    this.#card = new WrittenSettings(parseYamlRecord(yaml), { file: path, place: 'axolotl config' });
  }

  protected override forget(path: string): void {
    if (baseName(path) !== LOG) {
      this.#card = null;
      return;
    }
    this.#console = new TrainerConsole();
    this.#open = this.#end = this.#last = null;
    this.dropSettings();
    this.errors.clear();
    this.changedAt = null;
  }
}

const withoutRedacted = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== REDACTED));

const readDatasets = (values: JsonObject): readonly unknown[] =>
  ['datasets', 'pretraining_dataset']
    .flatMap((key) => (typeof values[key] === 'string' ? [values[key]] : arrayOr(values[key])))
    .map((dataset) => (typeof dataset === 'string' ? dataset : toText(toRecord(dataset)['path'])));

function readMethod(values: JsonObject): string | null {
  if (values['reward_model'] === true) return 'reward';
  return toText(values['rl']) ?? ('pretraining_dataset' in values ? 'pretraining' : null);
}
