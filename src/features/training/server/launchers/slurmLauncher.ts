// Slurm by its own commands, on this machine or on a host that ssh reaches. What a job needs and leaves lies in a folder that
// this host shares with the nodes.
import { LaunchDelayed, LaunchRefused, type LaunchedJob, type Launcher } from './launcher.ts';
import { quote, toNodeCommand, type NodeSettings } from './nodeCommand.ts';
import { runTool, toToolProblem, type ToolAnswer } from './runTool.ts';
import { parseFields, toBatchScript, toRefusal, toSbatchWords, toSlurmStatus, type SlurmRequest } from './slurmText.ts';

export interface SlurmSettings extends NodeSettings, SlurmRequest {
  readonly name: string;
  readonly mostAtOnce: number;
  /** Absolute, on the host of the commands and on the nodes. */
  readonly folder: string;
  /** A host of ssh; null: this machine. */
  readonly ssh: string | null;
}

/** Bytes of one part of a log. */
const LOG_PART = 96 * 1024;
const SSH = ['ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', '-T'];

function toAbout({ partition, gpus, gpuType, minutes, ssh }: SlurmSettings): string {
  const parts = [
    partition === null ? null : `partition ${partition}`,
    gpus === 0 ? null : `${gpus} ${gpuType ?? 'GPU'}${gpus > 1 && gpuType === null ? 's' : ''}`,
    minutes === null ? null : `${minutes} min`,
    ssh === null ? null : `through ${ssh}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const PROBLEMS = { refused: LaunchRefused, delayed: LaunchDelayed, away: Error } as const;

export function openSlurmLauncher(settings: SlurmSettings): Launcher {
  const { name, mostAtOnce, folder, ssh } = settings;
  const folderOf = ({ id }: Pick<LaunchedJob, 'id'>): string => `${folder}/${id}`;
  const run = (words: readonly string[], input = ''): Promise<ToolAnswer> =>
    runTool(ssh === null ? words : [...SSH, ssh, words.map(quote).join(' ')], input);
  const runWell = async (words: readonly string[], input?: string): Promise<string> => {
    const answer = await run(words, input);
    if (answer.code !== 0) throw new Error(toToolProblem(words, answer));
    return answer.out;
  };

  /** The numbers of our jobs of this name, the newest last: those that Slurm still lists. */
  async function findNumbers(id: string): Promise<string[]> {
    const out = await runWell(['squeue', '--noheader', `--name=${id}`, '--states=all', '--format=%i', '--sort=i']);
    return out.split(/\s+/).filter((word) => /^\d+$/.test(word));
  }

  /** What the job has written of its end; null: nothing. */
  async function readExit(job: LaunchedJob): Promise<number | null> {
    const { code, out } = await run(['cat', `${folderOf(job)}/exit`]);
    return code === 0 && /^\d+\s*$/.test(out) ? Number(out) : null;
  }

  async function findPlace(number: string, partition: string): Promise<number | null> {
    const words = [
      'squeue',
      '--noheader',
      '--states=PENDING',
      `--partition=${partition}`,
      '--format=%i',
      '--sort=-p,i',
    ];
    const { code, out } = await run(words);
    const at = code === 0 ? out.split(/\s+/).filter(Boolean).indexOf(number) : -1;
    return at === -1 ? null : at + 1;
  }

  return {
    name,
    kind: 'slurm',
    mostAtOnce,
    hasSecretPlace: true,
    isElsewhere: ssh !== null,
    about: toAbout(settings),
    async submit(order) {
      const [known] = await findNumbers(order.id);
      const own = folderOf(order);
      const write = ['sh', '-c', 'umask 077 && mkdir -p "$1" && cat >"$1/token"', 'sh', own];
      const written = await run(write, `${order.token}\n`);
      if (written.code !== 0)
        throw written.code === 255
          ? new Error(toToolProblem(write, written))
          : new LaunchRefused(`its folder ${folder} can not be written (${toToolProblem(write, written)})`);
      if (known !== undefined) return known;
      const words = toNodeCommand(settings, order, ['--token-file', `${own}/token`], `${folder}/worker`);
      const answer = await run(toSbatchWords(settings, { id: order.id, folder: own }), toBatchScript(words, own));
      const number = /^(\d+)(?:;.*)?$/m.exec(answer.out)?.[1];
      if (answer.code === 0 && number !== undefined) return number;
      const problem = toToolProblem(['sbatch'], answer);
      throw new PROBLEMS[toRefusal(answer.err)](problem);
    },
    async status(job) {
      const number = job.job ?? (await findNumbers(job.id)).at(-1);
      const answer = number === undefined ? null : await run(['scontrol', '--oneliner', 'show', 'job', number]);
      const isUnknown = answer === null || /Invalid job id/i.test(answer.err);
      if (answer !== null && answer.code !== 0 && !isUnknown) throw new Error(toToolProblem(['scontrol'], answer));
      const fields = parseFields(isUnknown ? '' : (answer?.out ?? ''));
      const exitCode = await readExit(job);
      // A controller that began anew counts from 1 again: then the number is of somebody else's job.
      if (number === undefined || fields.get('JobName') !== job.id)
        return exitCode === null ? { kind: 'lost' } : { kind: 'ended', code: exitCode, cause: null, words: null };
      const isWaiting = fields.get('JobState') === 'PENDING';
      const place = isWaiting ? await findPlace(number, fields.get('Partition') ?? '') : null;
      const status = toSlurmStatus({ fields, exitCode, place });
      return status.kind === 'waiting' || status.kind === 'running' ? { ...status, job: number } : status;
    },
    async stop({ id }) {
      // By its name, which is ours alone. SIGTERM first, SIGKILL after the KillWait of the cluster.
      const answer = await run(['scancel', `--name=${id}`]);
      if (answer.code !== 0) throw new Error(toToolProblem(['scancel'], answer));
    },
    async log(job, from) {
      const words = [
        'sh',
        '-c',
        'tail -c "+$2" "$1/log" | head -c "$3"',
        'sh',
        folderOf(job),
        `${from + 1}`,
        `${LOG_PART}`,
      ];
      const { out } = await run(words);
      // A part may end inside of a letter, which comes whole with the next one.
      const text = out.replace(/\uFFFD$/, '');
      return { text, next: from + Buffer.byteLength(text) };
    },
    async tidy(job) {
      await run(['rm', '-rf', '--', folderOf(job)]);
    },
  };
}
