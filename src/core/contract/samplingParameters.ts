// The sampling parameters of a chat request (SPEC 4.3), one record each. Everything else about them is made from these
// records: the request schema, the OpenAPI document, stored settings, sliders, labels and the dashboard's requests.
// How an engine sends a parameter is in `server/engine`.
import type { NumberLimit } from './limits.ts';

interface SamplingParameter extends NumberLimit {
  /** One sentence for the API reference. */
  readonly about: string;
  /** The wire allows null, with the same meaning as a missing field. */
  readonly isNullable: boolean;
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
} as const satisfies Record<string, SamplingParameter>;

export type SamplingName = keyof typeof SAMPLING_PARAMETERS;

export const SAMPLING_NAMES = Object.keys(SAMPLING_PARAMETERS) as readonly SamplingName[];

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
