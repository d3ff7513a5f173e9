// The sampling parameters of a chat request, one record each. Everything else about them is made from these records: the
// request schema, the OpenAPI document, stored settings, sliders, labels and the dashboard's requests. How an engine sends
// a parameter is in `src/engine`. ASSUMED: those that SPEC 4.3 does not list are ours, with vLLM's names.
import type { NumberLimit } from './limits.ts';
import { isObject } from './readJson.ts';

interface SamplingParameter extends NumberLimit {
  /** One sentence for the API reference. */
  readonly about: string;
  /** The wire allows null, with the same meaning as a missing field. */
  readonly isNullable: boolean;
  readonly isInteger?: boolean;
  /** It leaves out unlikely tokens, so it changes nothing where the likeliest one is taken. */
  readonly narrows?: boolean;
  /** SPEC 4.3 does not list it: what it is where it is not sent is the engine's choice. The built-in one takes `fallback`. */
  readonly isOwn?: boolean;
}

/** In the order in which the dashboard shows them. */
export const SAMPLING_PARAMETERS = {
  temperature: {
    label: 'Temperature',
    about: 'How much chance there is in an answer; at 0 the most likely token is always taken.',
    min: 0,
    max: 2,
    step: 0.01,
    fallback: 0.7,
    isNullable: true,
  },
  top_p: {
    label: 'Top P',
    about: 'Only the most likely tokens whose probabilities add up to this share are taken.',
    min: 0,
    max: 1,
    step: 0.01,
    fallback: 1,
    isNullable: true,
    narrows: true,
  },
  top_k: {
    label: 'Top K',
    about: 'Only so many of the most likely tokens are taken; 0: all. Not every engine takes it.',
    min: 0,
    max: 1000,
    step: 1,
    fallback: 0,
    fallbackText: 'auto',
    isNullable: true,
    isInteger: true,
    narrows: true,
    isOwn: true,
  },
  min_p: {
    label: 'Min P',
    about:
      'Only tokens are taken that are at least this share as likely as the most likely one; 0: all. Not every engine takes it.',
    min: 0,
    max: 1,
    step: 0.01,
    fallback: 0,
    fallbackText: 'auto',
    isNullable: true,
    narrows: true,
    isOwn: true,
  },
  frequency_penalty: {
    label: 'Frequency penalty',
    about: 'Makes a token less likely each time that the answer has used it.',
    min: -2,
    max: 2,
    step: 0.01,
    fallback: 0,
    isNullable: false,
  },
  presence_penalty: {
    label: 'Presence penalty',
    about: 'Makes a token less likely once the answer has used it.',
    min: -2,
    max: 2,
    step: 0.01,
    fallback: 0,
    isNullable: false,
  },
  repetition_penalty: {
    label: 'Repetition penalty',
    about:
      'Above 1 a token that was used is less likely, below 1 more likely: its logit is divided by this number, or multiplied ' +
      'where it is negative. Not every engine takes it, and some also count the prompt.',
    min: 0.1,
    max: 2,
    step: 0.01,
    fallback: 1,
    fallbackText: 'auto',
    isNullable: true,
    isOwn: true,
  },
} as const satisfies Record<string, SamplingParameter>;

export type SamplingName = keyof typeof SAMPLING_PARAMETERS;

export const SAMPLING_NAMES = Object.keys(SAMPLING_PARAMETERS) as readonly SamplingName[];

type OwnSamplingName = {
  [Name in SamplingName]: (typeof SAMPLING_PARAMETERS)[Name] extends { readonly isOwn: true } ? Name : never;
}[SamplingName];

/** Those of SPEC 4.3. */
export type SpecSamplingName = Exclude<SamplingName, OwnSamplingName>;

export const isOwnSampling = (name: SamplingName): name is OwnSamplingName => 'isOwn' in SAMPLING_PARAMETERS[name];

/** Parameters beyond SPEC 4.3 that an engine takes or not. `logprobs` stands for `top_logprobs` too. */
export type OwnParameter = OwnSamplingName | 'logprobs';

export const OWN_PARAMETERS: readonly OwnParameter[] = [...SAMPLING_NAMES.filter(isOwnSampling), 'logprobs'];

/** What an entry of a list of models says of them; nothing if it says nothing. */
export function readSupported(entry: unknown): { readonly supported_parameters?: OwnParameter[] } {
  const said = isObject(entry) ? entry['supported_parameters'] : null;
  return Array.isArray(said) ? { supported_parameters: OWN_PARAMETERS.filter((name) => said.includes(name)) } : {};
}

/** Fields without the parameters that change nothing where the likeliest token is taken. */
export const dropNarrowing = <Fields extends object>(fields: Fields): Omit<Fields, 'top_p' | 'top_k' | 'min_p'> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !SAMPLING_NAMES.some((each) => each === name && 'narrows' in SAMPLING_PARAMETERS[each]),
    ),
  ) as Fields;

/** A value for each parameter. */
export type SamplingValues = Readonly<Record<SamplingName, number>>;

/** A record with one entry for each parameter, in the order of SAMPLING_PARAMETERS. */
export function mapSampling<T>(toEntry: (name: SamplingName) => T): Readonly<Record<SamplingName, T>> {
  return Object.fromEntries(SAMPLING_NAMES.map((name) => [name, toEntry(name)])) as Record<SamplingName, T>;
}

/** The values of a request. The service's fallback replaces a missing value. */
export function toSamplingValues(request: {
  readonly [Name in SamplingName]?: number | null | undefined;
}): SamplingValues {
  return mapSampling((name) => request[name] ?? SAMPLING_PARAMETERS[name].fallback);
}
