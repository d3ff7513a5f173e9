// The parameters that are set, in one line. Pure.
import type { ChatParameters } from '../api/chatParameters';
import { SAMPLING_LIMITS, SAMPLING_NAMES } from '../contract/limits';

/** "Temperature 0.2 · seed 7"; "all defaults" when nothing is set. */
export function toParameterSummary(parameters: ChatParameters): string {
  const { max_completion_tokens, seed, stop } = parameters;
  const parts = SAMPLING_NAMES.flatMap((name) => (parameters[name] === undefined ? [] : [`${SAMPLING_LIMITS[name].label} ${parameters[name]}`]));
  if (max_completion_tokens !== undefined) parts.push(`max ${max_completion_tokens} tokens`);
  if (seed !== undefined) parts.push(`seed ${seed}`);
  if (stop !== undefined && stop.length > 0) parts.push(`${stop.length} stop ${stop.length === 1 ? 'sequence' : 'sequences'}`);
  return parts.length === 0 ? 'all defaults' : parts.join(' · ');
}
