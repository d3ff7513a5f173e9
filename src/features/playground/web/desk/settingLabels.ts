// The settings of the panel, whether they differ from the service's defaults, and a one-line summary. Pure.
import {
  isOwnSampling,
  SAMPLING_NAMES,
  SAMPLING_PARAMETERS,
  type SamplingName,
} from '#core/contract/samplingParameters.ts';
import { parseTools } from './requestSettings.ts';
import { answerSchema, SETTING_NAMES, type SettingName, type Settings } from './settings.ts';

/** The settings of the panel, in order. The system prompt has its place with the messages. */
export const PANEL_NAMES = SETTING_NAMES.filter((name) => name !== 'systemPrompt');

const isSampling = (name: SettingName): name is SamplingName => name in SAMPLING_PARAMETERS;

/**
 * A person changed the setting: it differs from the service's default, and from what the models of the panes bring
 * (`brought`).
 */
export function isChanged(settings: Settings, name: SettingName, brought: readonly Settings[] = []): boolean {
  const value = settings[name];
  if (value === undefined) return false;
  const text = JSON.stringify(value);
  if (brought.some((own) => JSON.stringify(own[name]) === text)) return false;
  // What one of ours is where it is not set differs between engines.
  if (isSampling(name)) return isOwnSampling(name) || value !== SAMPLING_PARAMETERS[name].fallback;
  // A schema that is neither sent nor used for checks has no effect.
  if (name === 'schema') return answerSchema(settings) !== null;
  return !(name === 'response_format' && value === 'text') && !(name === 'tool_choice' && value === 'auto');
}

const FORMATS = { text: 'text', json_object: 'JSON', json_schema: 'schema' } as const;

/** "3 tools"; without the number if they can't be parsed. */
export function toToolCount(text: string): string {
  const tools = parseTools(text);
  if (!tools.ok) return 'tools';
  return tools.value.length === 1 ? '1 tool' : `${tools.value.length} tools`;
}

/** "Top P" is "top P". */
const toLowerLabel = (label: string): string => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;

/** "temperature 0.2 · seed 7 · 2 tools · schema"; "all defaults" when nothing is set. */
export function toSettingSummary(settings: Settings): string {
  const { max_completion_tokens, seed, stop, logprobs, tools, response_format } = settings;
  const parts = SAMPLING_NAMES.flatMap((name) =>
    settings[name] === undefined ? [] : [`${toLowerLabel(SAMPLING_PARAMETERS[name].label)} ${settings[name]}`],
  );
  if (max_completion_tokens !== undefined) parts.push(`max ${max_completion_tokens} tokens`);
  if (seed !== undefined) parts.push(`seed ${seed}`);
  if (stop !== undefined && stop.length > 0)
    parts.push(`${stop.length} stop ${stop.length === 1 ? 'sequence' : 'sequences'}`);
  if (logprobs === true) parts.push('logprobs');
  if (tools !== undefined && tools.trim() !== '') parts.push(toToolCount(tools));
  if (response_format !== undefined) parts.push(FORMATS[response_format]);
  if (response_format !== 'json_schema' && answerSchema(settings) !== null) parts.push('checked against a schema');
  return parts.length === 0 ? 'all defaults' : parts.join(' · ');
}
