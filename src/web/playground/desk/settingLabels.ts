// What settings are called, which differ from the service's defaults, and all that are set in one line. Pure.
import { SAMPLING_LIMITS, SAMPLING_NAMES, type SamplingName } from '#shared/contract/limits.ts';
import { parseTools } from './requestSettings.ts';
import { answerSchema, PARAMETER_NAMES, type SettingName, type Settings } from './settings.ts';

export const SETTING_LABELS: Readonly<Record<SettingName, string>> = {
  systemPrompt: 'System prompt',
  temperature: SAMPLING_LIMITS.temperature.label,
  top_p: SAMPLING_LIMITS.top_p.label,
  frequency_penalty: SAMPLING_LIMITS.frequency_penalty.label,
  presence_penalty: SAMPLING_LIMITS.presence_penalty.label,
  max_completion_tokens: 'Max tokens',
  seed: 'Seed',
  stop: 'Stop sequences',
  tools: 'Tools',
  tool_choice: 'Tool choice',
  response_format: 'Response format',
  schema: 'Schema',
};

/** The settings of the panel, in its order; the system prompt stands beside the messages. */
export const PANEL_NAMES = [
  ...PARAMETER_NAMES,
  'tools',
  'tool_choice',
  'response_format',
  'schema',
] as const satisfies readonly SettingName[];

const isSampling = (name: SettingName): name is SamplingName => name in SAMPLING_LIMITS;

/** Set to something else than what the service does by itself. */
export function isChanged(settings: Settings, name: SettingName): boolean {
  const value = settings[name];
  if (value === undefined) return false;
  if (isSampling(name)) return value !== SAMPLING_LIMITS[name].fallback;
  // A schema that is neither sent nor checked against does nothing.
  if (name === 'schema') return answerSchema(settings) !== null;
  return !(name === 'response_format' && value === 'text') && !(name === 'tool_choice' && value === 'auto');
}

const FORMATS = { text: 'text', json_object: 'JSON', json_schema: 'JSON schema' } as const;

/** "3 tools"; without the number where they can't be read. */
export function toToolCount(text: string): string {
  const tools = parseTools(text);
  if (!tools.ok) return 'tools';
  return tools.value.length === 1 ? '1 tool' : `${tools.value.length} tools`;
}

/** "Temperature 0.2 · seed 7"; "all defaults" when nothing is set. */
export function toSettingSummary(settings: Settings): string {
  const { max_completion_tokens, seed, stop, tools, response_format } = settings;
  const parts = SAMPLING_NAMES.flatMap((name) =>
    settings[name] === undefined ? [] : [`${SAMPLING_LIMITS[name].label} ${settings[name]}`],
  );
  if (max_completion_tokens !== undefined) parts.push(`max ${max_completion_tokens} tokens`);
  if (seed !== undefined) parts.push(`seed ${seed}`);
  if (stop !== undefined && stop.length > 0)
    parts.push(`${stop.length} stop ${stop.length === 1 ? 'sequence' : 'sequences'}`);
  if (response_format !== undefined) parts.push(`format ${FORMATS[response_format]}`);
  if (response_format !== 'json_schema' && answerSchema(settings) !== null) parts.push('checked');
  if (tools !== undefined && tools.trim() !== '') parts.push(toToolCount(tools));
  return parts.length === 0 ? 'all defaults' : parts.join(' · ');
}
