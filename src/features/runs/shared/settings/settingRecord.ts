// A setting of a training: its names in what trainers and trackers wrote, and its keys in what is written for a trainer.

/** `peft`: the adapter_config.json of PEFT, which has no settings but those of the adapter. */
export type RunTrainer = 'axolotl' | 'llama-factory' | 'trl' | 'unsloth' | 'ms-swift' | 'torchtune' | 'litgpt' | 'peft';

/** `count`: 0 and less mean "not set". `amount`: 0 is a value too. `list`: names without an order. `json`: a list or an object. */
export type SettingKind = 'number' | 'count' | 'amount' | 'text' | 'list' | 'flag' | 'json' | 'any';

export interface SettingRecord {
  /** For people. */
  readonly label: string;
  readonly kind: SettingKind;
  /** As trainers and trackers write it, most reliable first. Nested ones with dots. */
  readonly names: readonly string[];
  /** A trainer without a key has no place for it. Nested keys with dots. */
  readonly keys: Readonly<Partial<Record<RunTrainer, string>>>;
  /** Of an adapter: other trainings don't have it. */
  readonly isOfAdapter?: true;
  /** What every trainer does without being told: such a value is neither written nor missed. As text. */
  readonly usual?: string;
  /** Also among the facts of a run, not only among all its settings. */
  readonly isFact?: true;
}

type Row = readonly [
  label: string,
  kind: SettingKind,
  /** Trainers that call it as the table does. */
  same: readonly RunTrainer[],
  more?: Partial<Omit<SettingRecord, 'label' | 'kind'>> & {
    /** What these trainers call it instead. */
    readonly key?: string;
  },
];

export const setting = (...row: Row): Row => row;

export const inPeft = (name: string): readonly string[] => [`peft_config.${name}`, `peft_config.default.${name}`];

type Rows<Name extends string> = Readonly<Record<Name, Row>>;
type Records<Name extends string> = Readonly<Record<Name, SettingRecord>>;

const toRecords = <Name extends string>(rows: Rows<Name>, toOwn: (name: string) => Partial<SettingRecord>) =>
  Object.fromEntries(
    Object.entries<Row>(rows).map(([name, [label, kind, same, { key = name, ...more } = {}]]) => {
      const own = toOwn(name);
      const keys = { ...Object.fromEntries(same.map((trainer) => [trainer, key])), ...own.keys, ...more.keys };
      return [name, { label, kind, names: [name], ...own, ...more, keys }];
    }),
  ) as Records<Name>;

/** By their names in the table. */
export const toSettings = <Name extends string>(rows: Rows<Name>): Records<Name> => toRecords(rows, () => ({}));

/** The same of an adapter: PEFT has them under the name of the table, and trackers as a part of its config. */
export const toAdapterSettings = <Name extends string>(rows: Rows<Name>): Records<Name> =>
  toRecords(rows, (name) => ({
    names: [name, `peft_${name}`, ...inPeft(name)],
    keys: { peft: name },
    isOfAdapter: true,
  }));
