// The sampling parameters of a chat request (SPEC 4.3), one record each. The schema of requests, the OpenAPI document,
// stored settings, sliders, labels and what the dashboard sends are made from it. Each engine says how it sends each
// parameter (`server/engine`).
import type { NumberLimit } from './limits.ts';

interface SamplingParameter extends NumberLimit {
  /** One sentence for the API reference. */
  readonly about: string;
  /** The wire allows null, which means the same as a field that is not sent. */
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

/** A record with an entry for each parameter, in their order. */
export function mapSampling<T>(toEntry: (name: SamplingName) => T): Readonly<Record<SamplingName, T>> {
  return Object.fromEntries(SAMPLING_NAMES.map((name) => [name, toEntry(name)])) as Record<SamplingName, T>;
}

/** What a request asks for, with the service's own choice for what it leaves open. */
export function toSamplingValues(request: {
  readonly [Name in SamplingName]?: number | null | undefined;
}): SamplingValues {
  return mapSampling((name) => request[name] ?? SAMPLING_PARAMETERS[name].fallback);
}
