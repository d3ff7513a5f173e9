// The settings of a request, their labels, and which of them a pane has as its own. Pure. Unset settings are not sent.
import { mapSampling, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import type { PlainParameters } from '#ui/client/chatParameters.ts';

export type FormatType = 'text' | 'json_object' | 'json_schema';

/** The schema of `response_format: json_schema`. The text stays as typed, valid or not. */
export interface SchemaSetting {
  readonly name: string;
  readonly text: string;
  readonly strict: boolean;
  /** Check answers against the schema even if it isn't sent. */
  readonly check?: boolean | undefined;
}

/** One flat record. An absent name, an empty text and an empty list all mean "not set". */
export interface Settings extends PlainParameters {
  readonly systemPrompt?: string | undefined;
  /** The JSON text of a list of tools, as typed. */
  readonly tools?: string | undefined;
  /** `none`, `auto`, `required`, or `tool:` and the name of a tool. */
  readonly tool_choice?: string | undefined;
  readonly response_format?: FormatType | undefined;
  /** Stays while another format is chosen. */
  readonly schema?: SchemaSetting | undefined;
}

export type SettingName = keyof Settings;

/** A pane's own settings. A name in it is not linked; null means that the pane has it unset. Plain JSON. */
export type OwnSettings = { readonly [Name in SettingName]?: NonNullable<Settings[Name]> | null };

const PARAMETER_LABELS: Readonly<Record<keyof PlainParameters, string>> = {
  ...mapSampling((name) => SAMPLING_PARAMETERS[name].label),
  max_completion_tokens: 'Max tokens',
  seed: 'Seed',
  stop: 'Stop sequences',
  logprobs: 'Logprobs',
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

/** Begins a `tool_choice` that names one tool. */
export const TOOL_PREFIX = 'tool:';
export const EMPTY_SCHEMA: SchemaSetting = { name: '', text: '', strict: true };

/** The text of the schema that checks answers; null: answers are not checked. */
export function answerSchema({ response_format, schema }: Settings): string | null {
  return response_format === 'json_schema' || schema?.check === true ? (schema?.text ?? '') : null;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The settings with `patch` applied, without unset names. */
export function patchSettings(settings: Settings, patch: Settings): Settings {
  return Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([, value]) => isSet(value)));
}

const merged = new WeakMap<OwnSettings, { readonly shared: Settings; readonly settings: Settings }>();

/** The settings of a pane: shared ones, replaced by its own. The same records give the same object. */
export function mergeSettings(shared: Settings, own: OwnSettings): Settings {
  if (Object.keys(own).length === 0) return shared;
  const cached = merged.get(own);
  if (cached?.shared === shared) return cached.settings;
  const entries = Object.entries({ ...shared, ...own }).filter(([, value]) => isSet(value));
  const settings: Settings = Object.fromEntries(entries);
  merged.set(own, { shared, settings });
  return settings;
}

/** Splits a pane's changes into those of its own settings and those of shared ones. */
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

/** Unlinks settings: copies their shared values. */
export function unlinkSettings(shared: Settings, own: OwnSettings, names: readonly SettingName[]): OwnSettings {
  return { ...Object.fromEntries(names.map((name) => [name, shared[name] ?? null])), ...own };
}

/** Links settings: drops their own values. */
export function linkSettings(own: OwnSettings, names: readonly SettingName[]): OwnSettings {
  const linked: ReadonlySet<string> = new Set(names);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !linked.has(name)));
}
