// Everything that shapes a request besides the conversation, what it is called, and which of it a pane has for itself.
// Pure. Unset is not sent.
import { mapSampling, SAMPLING_PARAMETERS } from '#shared/contract/samplingParameters.ts';
import type { PlainParameters } from '#web/api/chatParameters.ts';

export type FormatType = 'text' | 'json_object' | 'json_schema';

/** The schema of `response_format: json_schema`; its text is kept as it is typed, right or wrong. */
export interface SchemaSetting {
  readonly name: string;
  readonly text: string;
  readonly strict: boolean;
  /** Answers are checked against it also where it is not sent. */
  readonly check?: boolean | undefined;
}

/** One flat record. A name that is absent is not set, and so is an empty text or list. */
export interface Settings extends PlainParameters {
  readonly systemPrompt?: string | undefined;
  /** The JSON text of a list of tools, as it is typed. */
  readonly tools?: string | undefined;
  /** `none`, `auto`, `required`, or `tool:` and the name of one. */
  readonly tool_choice?: string | undefined;
  readonly response_format?: FormatType | undefined;
  /** Kept while another format is chosen. */
  readonly schema?: SchemaSetting | undefined;
}

export type SettingName = keyof Settings;

/** What a pane has for itself. A name that is there is not linked; null: for this pane it is not set. Plain JSON. */
export type OwnSettings = { readonly [Name in SettingName]?: NonNullable<Settings[Name]> | null };

const PARAMETER_LABELS: Readonly<Record<keyof PlainParameters, string>> = {
  ...mapSampling((name) => SAMPLING_PARAMETERS[name].label),
  max_completion_tokens: 'Max tokens',
  seed: 'Seed',
  stop: 'Stop sequences',
};

/** All settings, in the order of the panel. */
export const SETTING_LABELS: Readonly<Record<SettingName, string>> = {
  systemPrompt: 'System prompt',
  ...PARAMETER_LABELS,
  tools: 'Tools',
  tool_choice: 'Tool choice',
  response_format: 'Response format',
  schema: 'Schema',
};

export const PARAMETER_NAMES = Object.keys(PARAMETER_LABELS) as readonly (keyof PlainParameters)[];
export const SETTING_NAMES = Object.keys(SETTING_LABELS) as readonly SettingName[];

/** `tool_choice` of one tool. */
export const TOOL_PREFIX = 'tool:';
export const EMPTY_SCHEMA: SchemaSetting = { name: '', text: '', strict: true };

/** The text of the schema that answers are checked against; null: they are not checked. */
export function answerSchema({ response_format, schema }: Settings): string | null {
  return response_format === 'json_schema' || schema?.check === true ? (schema?.text ?? '') : null;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The settings with `patch` applied; what is unset leaves the record. */
export function patchSettings(settings: Settings, patch: Settings): Settings {
  return Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([, value]) => isSet(value)));
}

const merged = new WeakMap<OwnSettings, { readonly shared: Settings; readonly settings: Settings }>();

/** What a pane with `own` uses. The same records give the same object. */
export function mergeSettings(shared: Settings, own: OwnSettings): Settings {
  if (Object.keys(own).length === 0) return shared;
  const known = merged.get(own);
  if (known?.shared === shared) return known.settings;
  const entries = Object.entries({ ...shared, ...own }).filter(([, value]) => isSet(value));
  const settings: Settings = Object.fromEntries(entries);
  merged.set(own, { shared, settings });
  return settings;
}

/** Changes that a pane makes: those of its own stay with it, the others are everyone's. */
export function splitPatch(
  own: OwnSettings,
  patch: Settings,
): { readonly shared: Settings; readonly own: OwnSettings } {
  const names = Object.keys(patch) as SettingName[];
  const pick = (isOwn: boolean): Settings =>
    Object.fromEntries(names.filter((name) => name in own === isOwn).map((name) => [name, patch[name]]));
  const mine = Object.entries(pick(true)).map(([name, value]) => [name, isSet(value) ? value : null] as const);
  return { shared: pick(false), own: mine.length === 0 ? own : { ...own, ...Object.fromEntries(mine) } };
}

/** Unlinking starts from the shared values. */
export function unlinkSettings(shared: Settings, own: OwnSettings, names: readonly SettingName[]): OwnSettings {
  return { ...Object.fromEntries(names.map((name) => [name, shared[name] ?? null])), ...own };
}

/** Linking takes the shared values over. */
export function linkSettings(own: OwnSettings, names: readonly SettingName[]): OwnSettings {
  const gone: ReadonlySet<string> = new Set(names);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !gone.has(name)));
}
