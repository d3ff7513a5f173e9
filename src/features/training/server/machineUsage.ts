// What a trainer takes of its machine: its memory, as Linux counts it, and the graphics cards, as nvidia-smi sees them. It comes
// with the trainer's own steps, as further curves.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { withoutSecrets } from '#service/threads/childEnvironment.ts';

export type Usage = Readonly<Record<string, number>>;

const FIRST_MS = 1_000;
const EVERY_MS = 3_000;
const ANSWER_MS = 2_000;
const GIB = 1024 ** 3;
const round = (value: number): number => Math.round(value * 1000) / 1000;

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Resident bytes of a process and all that it has started; 0: it has ended, or this is no Linux. */
export async function readMemory(pid: number): Promise<number> {
  const status = await read(`/proc/${pid}/status`);
  const own = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  const children = (await read(`/proc/${pid}/task/${pid}/children`)).split(' ').filter(Boolean);
  const sizes = await Promise.all(children.map((child) => readMemory(Number(child))));
  return sizes.reduce((sum, size) => sum + size, own);
}

/** Of the cards that the trainer sees. */
const toQuery = (visible = process.env['CUDA_VISIBLE_DEVICES']): string[] => [
  '--query-gpu=utilization.gpu,memory.used,memory.total',
  '--format=csv,noheader,nounits',
  ...(visible ? [`--id=${visible}`] : []),
];

/** null: nvidia-smi is not there, does not answer, or says something else. */
export function readCards(program = 'nvidia-smi', answerMs = ANSWER_MS): Promise<Usage | null> {
  return new Promise((resolve) => {
    const options = { env: withoutSecrets(), timeout: answerMs, killSignal: 'SIGKILL', windowsHide: true } as const;
    execFile(program, toQuery(), options, (error, out) => {
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
  let hasCards = true;
  let timer = setTimeout(look, firstMs);
  timer.unref();
  let isOpen = true;

  async function look(): Promise<void> {
    const memory = await readMemory(pid);
    const cards = hasCards ? await readCards(program) : null;
    // It is not asked again: it may hang each time.
    hasCards = cards !== null;
    seen = { ...(memory > 0 && { 'system/memory_gib': round(memory / GIB) }), ...cards };
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
