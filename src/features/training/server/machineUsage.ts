// What a trainer takes of its machine: its memory, as Linux counts it, and the graphics cards, as nvidia-smi sees them. It comes
// with the trainer's own steps, as further curves.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { withoutSecrets } from '#service/threads/childEnvironment.ts';

export type Usage = Readonly<Record<string, number>>;

const FIRST_MS = 1_000;
const EVERY_MS = 3_000;
const ANSWER_MS = 2_000;
/** The driver may have to be loaded first. */
const FIRST_ANSWER_MS = 15_000;
/** Looks without an answer, one after the other, after which it is not asked again: it may hang each time. */
const MOST_MISSES = 5;
const GIB = 1024 ** 3;
const round = (value: number): number => Math.round(value * 1000) / 1000;

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Bytes of one process: of pages that it shares with others its part; where that can not be read, all that are resident. */
async function readOwnMemory(pid: number): Promise<number> {
  const kilobytes =
    /^Pss:\s*(\d+) kB$/m.exec(await read(`/proc/${pid}/smaps_rollup`)) ??
    /^VmRSS:\s*(\d+) kB$/m.exec(await read(`/proc/${pid}/status`));
  return Number(kilobytes?.[1] ?? 0) * 1024;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

async function listProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const all = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      // The name of a program, in parentheses, may have any letters.
      const [, parent, group] = /^.*\) \S (\d+) (\d+) /s.exec(await read(`/proc/${name}/stat`)) ?? [];
      return { pid: Number(name), parent: Number(parent), group: Number(group) };
    });
  return Promise.all(all);
}

/** Bytes of a process, its group if it leads one, and all that they have started; 0: it has ended, or this is no Linux. */
export async function readMemory(pid: number): Promise<number> {
  const processes = await listProcesses();
  const own = new Set(processes.filter((each) => each.pid === pid || each.group === pid).map((each) => each.pid));
  for (let size = 0; size < own.size;) {
    size = own.size;
    for (const { pid: child, parent } of processes) if (own.has(parent)) own.add(child);
  }
  const sizes = await Promise.all([...own].map(readOwnMemory));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Of the cards that the trainer sees. */
const toQuery = (visible = process.env['CUDA_VISIBLE_DEVICES']): string[] => [
  '--query-gpu=utilization.gpu,memory.used,memory.total',
  '--format=csv,noheader,nounits',
  ...(visible ? [`--id=${visible}`] : []),
];

/** null: nvidia-smi does not answer, or says something else; 'none': it is not there. */
export function readCards(program = 'nvidia-smi', answerMs = ANSWER_MS): Promise<Usage | 'none' | null> {
  return new Promise((resolve) => {
    const options = { env: withoutSecrets(), timeout: answerMs, killSignal: 'SIGKILL', windowsHide: true } as const;
    execFile(program, toQuery(), options, (error, out) => {
      if (error?.code === 'ENOENT') return resolve('none');
      const cards = out.split('\n').flatMap((line) => {
        const [, busy, used] = /^\s*([\d.]+),\s*([\d.]+),\s*[\d.]+\s*$/.exec(line) ?? [];
        return busy === undefined || used === undefined ? [] : [{ busy: Number(busy), used: Number(used) }];
      });
      if (error !== null || cards.length === 0) return resolve(null);
      const sum = (of: (card: (typeof cards)[number]) => number): number =>
        cards.reduce((all, card) => all + of(card), 0);
      resolve({
        'system/gpu_percent': round(sum(({ busy }) => busy) / cards.length),
        'system/gpu_memory_gib': round(sum(({ used }) => used) / 1024),
      });
    });
  });
}

export interface MachineUsage {
  /** A line of the trainer; one of a step gets what was seen last. */
  addTo(line: string): string;
  close(): void;
}

/** Looks at it each few seconds. */
export function openMachineUsage(
  pid: number,
  { firstMs = FIRST_MS, everyMs = EVERY_MS, program = 'nvidia-smi' } = {},
): MachineUsage {
  let seen: Usage = {};
  let isFirst = true;
  let misses = 0;
  let timer = setTimeout(look, firstMs);
  timer.unref();
  let isOpen = true;

  async function look(): Promise<void> {
    // What comes at once does not wait for the cards.
    const memory = await readMemory(pid);
    seen = { ...seen, ...(memory > 0 && { 'system/memory_gib': round(memory / GIB) }) };
    const cards = misses < MOST_MISSES ? await readCards(program, isFirst ? FIRST_ANSWER_MS : ANSWER_MS) : null;
    isFirst = false;
    misses = cards === 'none' ? MOST_MISSES : cards === null ? misses + 1 : 0;
    seen = { ...(memory > 0 && { 'system/memory_gib': round(memory / GIB) }), ...(cards === 'none' ? null : cards) };
    if (!isOpen) return;
    timer = setTimeout(look, everyMs);
    timer.unref();
  }

  return {
    addTo(line) {
      if (Object.keys(seen).length === 0 || !/^\s*\{.*"progress"/.test(line)) return line;
      try {
        const event = JSON.parse(line) as { type?: unknown; metrics?: object | null };
        return event.type === 'progress' ? JSON.stringify({ ...event, metrics: { ...event.metrics, ...seen } }) : line;
      } catch {
        // What Python writes of a number that is none.
        return line;
      }
    },
    close() {
      isOpen = false;
      clearTimeout(timer);
    },
  };
}
