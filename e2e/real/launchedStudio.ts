// A studio whose runs a cluster trains, as checks of clusters start it, kill it and ask it.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..', '..');
const LAUNCH = join(ROOT, 'src/app/server/launch/launch.mjs');
const TOKEN = 'token-of-the-real-check-0123456789';
const TRAINER = join(ROOT, 'src/features/training/server/testTrainer.fixture.mjs');

/** How a node starts Model Studio. */
export const WORKER = `${process.execPath} ${LAUNCH}`;
/** A trainer that learns nothing: 40 steps, with so many milliseconds between two. */
export const toTrainer = (mode: string, delayMs = 0): string => `${process.execPath} ${TRAINER} ${mode} ${delayMs}`;

export type Check = readonly [title: string, run: () => Promise<unknown>];

export interface LaunchedStudio {
  start(): Promise<void>;
  kill(): void;
  /** Gives a run to a launcher; its id. */
  create(launcher: string): Promise<string>;
  /** Resolves to its status and reason. Throws when it is not as wanted in time. */
  until(id: string, isWanted: (status: string, reason: string, step: number) => boolean): Promise<string>;
  untilReason(id: string, pattern: RegExp): Promise<string>;
  untilStatus(id: string, wanted: string): Promise<string>;
  act(id: string, action: string): Promise<unknown>;
  readLog(id: string): Promise<string>;
  /** Kills the service while a run trains at this launcher, and starts it: the run must succeed all the same. */
  goOnAfterKill(launcher: string): Promise<string>;
  /** A run that reaches the time limit of this launcher must save, and succeed from its checkpoint. */
  goOnAfterLimit(launcher: string): Promise<string>;
  /** Does the checks, those of `ONLY` if it is set, and writes the verdict. */
  check(checks: readonly Check[], what: () => string): Promise<void>;
}

/** `launchers`: what stands in launchers.json. */
export function openLaunchedStudio(folder: string, port: string, launchers: readonly object[]): LaunchedStudio {
  const origin = `http://127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'launchers.json');
  writeFileSync(file, JSON.stringify(launchers));
  const running: { service: ChildProcess | null; snapshot: string } = { service: null, snapshot: '' };

  async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(origin + path, {
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  }

  async function findSnapshot(): Promise<string> {
    const find = (value: unknown): string => {
      const { type, id, children = [] } = value as { type: string; id: string; children?: object[] };
      return type === 'snapshot' ? id : (children.map(find).find((found) => found !== '') ?? '');
    };
    const projects = (await ask('/api/v1/public/projects'))['projects'] as { id: string }[];
    const tree = await ask(`/api/v1/public/projects/${projects[0]?.id ?? ''}`);
    return find(tree['project'] ?? tree);
  }

  const studio: LaunchedStudio = {
    async start() {
      const flags = ['--port', port, '--data', join(folder, 'data'), '--trainer', 'none', '--launchers', file];
      running.service = spawn(process.execPath, [LAUNCH, ...flags], {
        env: { ...process.env, STUDIO_TOKEN: TOKEN },
        stdio: 'inherit',
      });
      for (let left = 600; left > 0; left -= 1) {
        const isReady = await fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) break;
        if (left === 1) throw new Error('The studio did not start.');
        await wait(500);
      }
      running.snapshot ||= await findSnapshot();
    },
    kill() {
      running.service?.kill('SIGKILL');
    },
    async create(launcher) {
      const run = {
        base_model_id: 'support-base',
        batch_size: 8,
        n_epochs: 1,
        learning_rate_multiplier: 0.006,
        lora: true,
      };
      const body = { snapshot_id: running.snapshot, name: launcher, studio: { launcher }, experiments: [run] };
      const made = await ask('/api/v1/public/finetuning/create', body);
      const job = await ask(`/api/v1/public/finetuning/${String(made['job_id'])}`);
      return (job['experiments'] as { id: string }[])[0]?.id ?? '';
    },
    async until(id, isWanted) {
      let seen = '';
      for (let left = 600; left > 0; left -= 1) {
        const path = `/api/v1/studio/experiments/${id}/progress`;
        const { status, reason, step } = await ask(path).catch(() => ({ status: '', reason: '', step: 0 }));
        seen = `${String(status)}: ${String(reason)}`;
        if (isWanted(String(status), String(reason ?? ''), Number(step))) return seen;
        await wait(500);
      }
      throw new Error(`It stays ${seen}`);
    },
    untilReason: (id, pattern) => studio.until(id, (_, reason) => pattern.test(reason)),
    untilStatus: (id, wanted) => studio.until(id, (status) => status === wanted),
    act: (id, action) => ask(`/api/v1/studio/experiments/${id}/${action}`, {}),
    readLog: async (id) => String((await ask(`/api/v1/studio/experiments/${id}/log`))['text']),
    async goOnAfterKill(launcher) {
      const id = await studio.create(launcher);
      await studio.until(id, (_, __, step) => step > 1);
      studio.kill();
      await studio.start();
      return studio.untilStatus(id, 'succeeded');
    },
    async goOnAfterLimit(launcher) {
      const id = await studio.create(launcher);
      const end = await studio.untilStatus(id, 'succeeded');
      const log = await studio.readLog(id);
      if (!/reached its time limit[^]*begins at step 12\n/.test(log)) throw new Error(log);
      return end;
    },
    async check(checks, what) {
      const only = (process.env['ONLY'] ?? '').split(',').filter(Boolean).map(Number);
      let right = 0;
      await studio.start();
      for (const [at, [title, run]] of checks.entries()) {
        if (only.length > 0 && !only.includes(at)) continue;
        try {
          const said = await run();
          right += 1;
          process.stdout.write(`right: ${title}${typeof said === 'string' ? ` (${said})` : ''}\n`);
        } catch (error) {
          process.stdout.write(`WRONG: ${title}: ${error instanceof Error ? error.message : String(error)}\n`);
        }
      }
      running.service?.kill('SIGTERM');
      const verdict = process.env['VERDICT'];
      if (verdict !== undefined)
        writeFileSync(verdict, `${what()}\n${right} of ${checks.length} ends as they happened\n`);
      process.exitCode = right === checks.length ? 0 : 1;
    },
  };
  return studio;
}
