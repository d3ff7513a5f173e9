// For tests: a cluster in this process. What becomes of its jobs is said by the test.
import { LaunchDelayed, LaunchRefused, type Launcher, type LaunchOrder, type LaunchStatus } from './launcher.ts';

interface FakeJob {
  readonly order: LaunchOrder;
  readonly number: string;
  status: LaunchStatus;
  log: string;
  submitted: number;
  stopped: number;
  isTidy: boolean;
}

export interface FakeLauncher extends Launcher {
  /** All that it was given, the newest last. */
  readonly jobs: FakeJob[];
  /** That of a run which was given last. */
  jobOf(experimentId: string): FakeJob;
  /** What it does wrong. */
  faults: {
    /** Nothing is answered but this. */
    answer?: string;
    refuse?: string;
    /** It has no room. */
    delay?: string;
    /** Each job is taken, and the first answer is lost. */
    losesAnswer?: boolean;
    /** The number of all jobs. */
    number?: string;
    /** It takes no notice of `stop`. */
    isDeaf?: boolean;
  };
}

export function openFakeLauncher(name = 'cluster', mostAtOnce = 2, isElsewhere = false): FakeLauncher {
  const jobs: FakeJob[] = [];
  const find = ({ id }: Pick<LaunchOrder, 'id'>): FakeJob | undefined => jobs.find(({ order }) => order.id === id);
  const answer = (): void => {
    if (fake.faults.answer !== undefined) throw new Error(fake.faults.answer);
  };
  const fake: FakeLauncher = {
    name,
    kind: 'command',
    mostAtOnce,
    hasSecretPlace: true,
    isElsewhere,
    about: 'a fake',
    jobs,
    faults: {},
    jobOf(experimentId) {
      const job = jobs.findLast(({ order }) => order.experimentId === experimentId);
      if (job === undefined) throw new Error(`It has no job of ${experimentId}.`);
      return job;
    },
    async submit(order) {
      answer();
      if (fake.faults.refuse !== undefined) throw new LaunchRefused(fake.faults.refuse);
      if (fake.faults.delay !== undefined) throw new LaunchDelayed(fake.faults.delay);
      const known = find(order);
      const number = fake.faults.number ?? String(jobs.length + 1);
      const job = known ?? {
        order,
        number,
        status: { kind: 'waiting', reason: 'Resources' },
        log: '',
        submitted: 0,
        stopped: 0,
        isTidy: false,
      };
      if (known === undefined) jobs.push(job);
      job.submitted += 1;
      if (fake.faults.losesAnswer && known === undefined) throw new Error('The answer was lost.');
      return job.number;
    },
    async status(job) {
      answer();
      const known = find(job);
      if (known === undefined) return { kind: 'lost' };
      const { status, number } = known;
      return status.kind === 'waiting' || status.kind === 'running' ? { ...status, job: number } : status;
    },
    async stop(job) {
      answer();
      const known = find(job);
      if (known === undefined) return;
      known.stopped += 1;
      if (fake.faults.isDeaf !== true) known.status = { kind: 'ended', code: null, cause: 'cancelled', words: null };
    },
    async log(job, from, mark) {
      const text = (find(job)?.log ?? '').slice(from);
      const next = from + text.length;
      const isTold = mark === (from === 0 ? null : `to ${from}`);
      return next === from
        ? { text, next }
        : { text: isTold ? text : `without its mark: ${text}`, next, mark: `to ${next}` };
    },
    async tidy(job) {
      const known = find(job);
      if (known !== undefined) known.isTidy = true;
    },
  };
  return fake;
}
