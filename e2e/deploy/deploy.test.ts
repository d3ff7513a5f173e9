import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseCommandLine, type Command } from '#app/server/launch/commands.ts';
import { readLaunchers } from '#features/training/server/launchers/launcherFile.ts';
import { toHostCheck } from '#service/http/allowedHosts.ts';
import { DEFAULT_PORT } from '#app/server/defaultPort.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const SECRET = 'a'.repeat(64);

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: { readonly httpGet: { readonly path: string; readonly port: number } };
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: number } };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly ports?: readonly { readonly port: number }[];
    readonly template?: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

const compose = parse(read('compose.yaml')) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const documents = parseAllDocuments(read('kubernetes.yaml'));
const manifests = documents.map((document) => document.toJS() as Manifest);
const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);

/** As Compose fills `${NAME}` and `${NAME:?why}`. */
const fill = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) =>
    name === 'STUDIO_DOMAIN' ? 'studio.example.com' : SECRET,
  );

const fillAll = (values: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));

const asStudio = (container: Container): Command =>
  parseCommandLine(
    container.args,
    Object.fromEntries(
      (container.env ?? []).map(({ name }) => [
        name,
        name === 'DATABASE_URL' ? 'postgres://studio@database/studio' : SECRET,
      ]),
    ),
    '/',
  );

const isPinned = (image: string): boolean => /:\D*\d+[^:]*$/.test(image);

describe('the studios', () => {
  const wanted = {
    kind: 'settings',
    settings: {
      host: '0.0.0.0',
      port: DEFAULT_PORT,
      dataDir: '/data',
      token: SECRET,
      warnings: [],
      mode: {
        kind: 'local',
        trainer: 'none',
        engine: { baseUrl: 'http://engine:8000/v1' },
        enginePaths: [{ here: '/data', there: '/studio' }],
      },
    },
  };

  it('of compose.yaml start with flags and variables that there are, without a warning', () => {
    const { command = [], environment } = compose.services['studio']!;
    expect(parseCommandLine(command.map(fill), fillAll(environment), '/')).toMatchObject(wanted);
  });

  it('of kubernetes.yaml start with flags and variables that there are, without a warning', () => {
    expect(asStudio(containers.find(({ name }) => name === 'studio')!)).toMatchObject(wanted);
  });

  it('get their secrets from outside', () => {
    const { env = [] } = containers.find(({ name }) => name === 'studio')!;
    for (const { name, value, valueFrom } of env)
      expect({ name, value, valueFrom }).toMatchObject({ valueFrom: expect.anything() });
    for (const value of Object.values(compose.services['studio']!.environment!)) expect(value).toContain('${');
  });

  it('are asked for their health where they answer', () => {
    const studio = containers.find(({ name }) => name === 'studio')!;
    for (const { httpGet } of [studio.startupProbe!, studio.readinessProbe!])
      expect(httpGet).toEqual({ path: '/readyz', port: DEFAULT_PORT });
    expect(
      manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'studio')?.spec?.ports,
    ).toEqual([{ port: DEFAULT_PORT }]);
    expect(read('Caddyfile')).toContain(`studio ${DEFAULT_PORT}`);
  });
});

it('starts workers with flags that there are, at an address that the studios serve', () => {
  const command = asStudio(containers.find(({ name }) => name === 'worker')!);
  const studio = asStudio(containers.find(({ name }) => name === 'studio')!);
  if (command.kind !== 'worker' || studio.kind !== 'settings') throw new Error('they are something else');
  const { host, publicUrl } = studio.settings;
  expect(toHostCheck(host, publicUrl)(command.worker.studio.host)).toBe(true);
  expect(command).toMatchObject({ kind: 'worker', worker: { token: { file: '/secrets/worker-token' } } });
});

it('names a launcher with fields that there are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const file = join(folder, 'launchers.json');
  writeFileSync(file, manifests.find(({ kind }) => kind === 'ConfigMap')!.data!['launchers.json']!);
  // All that is wrong with it: this is no pod.
  expect(() => readLaunchers(file, true, folder)).toThrow(/of the launcher cluster, the studio runs in no pod/);
  rmSync(folder, { recursive: true });
});

it('reads as YAML, names the version of each image, and mounts only volumes that there are', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  for (const { image } of [...containers, ...Object.values(compose.services)]) expect(image).toSatisfy(isPinned);
  for (const { spec } of manifests) {
    const volumes = spec?.template?.spec.volumes.map(({ name }) => name) ?? [];
    for (const { volumeMounts = [] } of spec?.template?.spec.containers ?? [])
      for (const { name } of volumeMounts) expect(volumes).toContain(name);
  }
  const named = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(':')[0]!),
  );
  expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named.filter((name) => !name.startsWith('.'))));
  for (const { depends_on: needs = [] } of Object.values(compose.services))
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(Array.isArray(needs) ? needs : Object.keys(needs)),
    );
});

it('says it in at most 300 words', () => {
  expect(read('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(300);
});
