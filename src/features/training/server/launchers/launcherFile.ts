// launchers.json of the operator -> launchers. What is unknown or wrong is refused at the start, with the file and the field.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { toIssue } from '#core/contract/issues.ts';
import { toReason } from '#service/database/database.ts';
import { StartError } from '#service/database/startError.ts';
import { parseCommand } from '#features/training/server/commandLine.ts';
import { LAUNCHER_NAME } from '#features/training/shared/launchers.ts';
import { openCommandLauncher } from './commandLauncher.ts';
import type { Launcher } from './launcher.ts';
import { openKubernetesLauncher } from './kubernetesLauncher.ts';
import { openRayLauncher } from './rayLauncher.ts';
import { openSlurmLauncher } from './slurmLauncher.ts';

const text = z.string().check(z.minLength(1), z.maxLength(1000));
const commandSchema = text.check(
  z.refine(
    (value) => {
      try {
        return parseCommand(value).length > 0;
      } catch {
        return false;
      }
    },
    { error: 'must be a command, such as "model-studio", with its quotes closed' },
  ),
);

const word = z.string().check(z.regex(/^[\w][\w.,:@+-]{0,199}$/, 'must be a name without spaces'));

const kubeName = z
  .string()
  .check(z.regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'must have lower-case letters, digits, - and .'));

/** What all kinds have. */
const shared = {
  name: z
    .string()
    .check(z.regex(LAUNCHER_NAME, 'must have 1 to 40 letters, digits, spaces or ._-, and begin with one of the first')),
  /** Jobs at a time. */
  most_at_once: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 4),
  gpus: z._default(z.int().check(z.minimum(0), z.maximum(64)), 0),
  /** Time limit of a job. */
  minutes: z.optional(z.int().check(z.minimum(1), z.maximum(60 * 24 * 60))),
  /** What starts Model Studio on a node. */
  worker: z._default(commandSchema, 'model-studio'),
  /** --trainer of the worker. */
  trainer: z.optional(text),
  /** Where its machines reach the studio; missing: at --public-url. */
  studio: z.optional(
    z.string().check(z.regex(/^https?:\/\/[\w.[\]:-]+\/?$/, 'must be an address such as http://127.0.0.1:4600')),
  ),
};

const KINDS = {
  command: z.strictObject({ ...shared, kind: z.literal('command'), command: commandSchema, folder: text }),
  slurm: z.strictObject({
    ...shared,
    kind: z.literal('slurm'),
    folder: z.string().check(z.regex(/^\/[^\0\n]*$/, 'must be an absolute path that the nodes have, too')),
    ssh: z.optional(
      z.string().check(z.regex(/^\w[\w.@-]*$/, 'must be a host as ssh knows it, such as ada@login.example.com')),
    ),
    partition: z.optional(word),
    account: z.optional(word),
    qos: z.optional(word),
    gpu_type: z.optional(word),
    cpus: z.optional(z.int().check(z.minimum(1), z.maximum(1024))),
    memory_gb: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
    /** Words for sbatch that have no field here. */
    options: z._default(z.array(z.string().check(z.regex(/^-/, 'must begin with -'))), []),
  }),
  ray: z.strictObject({
    ...shared,
    kind: z.literal('ray'),
    address: z
      .string()
      .check(z.regex(/^https?:\/\/[\w.[\]:-]+\/?$/, 'must be the address of the dashboard, such as http://head:8265')),
    token_file: z.optional(text),
    cpus: z._default(z.int().check(z.minimum(0), z.maximum(1024)), 1),
    /** Of the nodes: base models stay in it. */
    folder: z._default(text, '/tmp/model-studio-worker'),
  }),
  kubernetes: z.strictObject({
    ...shared,
    kind: z.literal('kubernetes'),
    image: z.string().check(z.regex(/^[\w][^\s]{0,499}$/, 'must be the name of an image')),
    /** Missing: the account of the pod in which the studio runs. */
    kubeconfig: z.optional(text),
    context: z.optional(text),
    namespace: z.optional(kubeName),
    /** Of Kueue. */
    queue: z.optional(kubeName),
    cpus: z.optional(z.number().check(z.positive(), z.maximum(1024))),
    memory_gb: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
    node_selector: z._default(z.record(z.string(), z.string()), {}),
    /** Keys of taints. */
    tolerations: z._default(z.array(text), []),
    pull_secret: z.optional(kubeName),
    user: z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))),
  }),
} as const;

type Settings = { readonly [Kind in keyof typeof KINDS]: z.output<(typeof KINDS)[Kind]> }[keyof typeof KINDS];

const launcherSchema = z.discriminatedUnion('kind', [KINDS.command, KINDS.slurm, KINDS.ray, KINDS.kubernetes], {
  error: `must be ${Object.keys(KINDS)
    .map((kind) => `"${kind}"`)
    .join(' or ')}`,
});
const fileSchema = z.array(launcherSchema).check(z.maxLength(20));

/** Throws an Error for people. */
function openKind(settings: Settings, folder: string): Launcher {
  const { name, most_at_once: mostAtOnce, gpus, minutes = null, trainer = null } = settings;
  const node = { name, mostAtOnce, gpus, minutes, trainer, worker: parseCommand(settings.worker) };
  switch (settings.kind) {
    case 'command':
      return openCommandLauncher({
        ...node,
        command: parseCommand(settings.command),
        folder: resolve(folder, settings.folder),
      });
    case 'ray': {
      const { token_file: tokenFile = null, address, cpus, folder: ofNodes } = settings;
      return openRayLauncher({
        ...node,
        cpus,
        address: new URL(address),
        folder: ofNodes,
        tokenFile: tokenFile === null ? null : resolve(folder, tokenFile),
      });
    }
    case 'kubernetes': {
      const { kubeconfig = null, context = null, namespace = null, queue = null, cpus = null, user = null } = settings;
      const { memory_gb: memoryGb = null, node_selector: nodeSelector, pull_secret: pullSecret = null } = settings;
      const { image, tolerations } = settings;
      const asked = { image, queue, gpus, cpus, memoryGb, minutes, nodeSelector, tolerations, pullSecret, user };
      const file = kubeconfig === null ? null : resolve(folder, kubeconfig);
      return openKubernetesLauncher({ ...node, ...asked, kubeconfig: file, context, namespace });
    }
    case 'slurm': {
      const { ssh = null, partition = null, account = null, qos = null, cpus = null } = settings;
      const { gpu_type: gpuType = null, memory_gb: memoryGb = null, options } = settings;
      const asked = { partition, account, qos, gpus, gpuType, cpus, memoryGb, minutes, options };
      return openSlurmLauncher({ ...node, ...asked, ssh, folder: settings.folder.replace(/(?<=.)\/+$/, '') });
    }
  }
}

function openOne(settings: Settings, folder: string): Launcher {
  const launcher = openKind(settings, folder);
  return settings.studio === undefined ? launcher : { ...launcher, studio: settings.studio.replace(/\/$/, '') };
}

function readText(file: string, isNamed: boolean): string | null {
  if (!isNamed && !existsSync(file)) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The launchers' file ${file} can't be read (${code}). Give its path with --launchers.`);
  }
}

/** `isNamed`: it must be there. Relative folders are taken from `cwd`. Throws StartError. */
export function readLaunchers(file: string, isNamed: boolean, cwd: string): readonly Launcher[] {
  const written = readText(file, isNamed);
  if (written === null) return [];
  const refuse = (problem: string): never => {
    throw new StartError(`${file} can't be used: ${problem} See the README of launchers for each field.`);
  };
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch (error) {
    return refuse(`it is no JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
  const parsed = fileSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return refuse(toIssue(parsed.error.issues, 'The file').message);
  const names = parsed.data.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return refuse(`two launchers have the name ${twice}. Give each its own.`);
  return parsed.data.map((settings) => {
    try {
      return openOne(settings, cwd);
    } catch (error) {
      return refuse(`of the launcher ${settings.name}, ${toReason(error)}.`);
    }
  });
}
