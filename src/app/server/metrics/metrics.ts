// Figures in the text form of Prometheus. Pure.

export interface Metric {
  /** Without the prefix: `requests_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

/** `value` null: it is not known. */
export const toGauge = (name: string, help: string, value: number | null | Metric['samples']): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: typeof value === 'number' ? [{ value }] : (value ?? []),
});

export const toCounter = (name: string, help: string, samples: Metric['samples']): Metric => ({
  name,
  type: 'counter',
  help,
  samples,
});

const PREFIX = 'model_studio_';

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function toSample(name: string, { labels = {}, value }: Metric['samples'][number]): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  return `${PREFIX}${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/** Metrics without a sample are left out. */
export function toPrometheus(metrics: readonly Metric[]): string {
  const texts = metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${PREFIX}${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
        `# TYPE ${PREFIX}${name} ${type}`,
        ...samples.map((sample) => toSample(name, sample)),
      ].join('\n'),
    );
  return texts.map((text) => `${text}\n`).join('');
}
