// An import through the whole service, beside reading lines and JSON.parse of the same file in a process of its own; the
// memory of the service meanwhile; the first rows of the table and the first hits of searches; /healthz beside another
// import. CPU is counted over all threads.
import { execFileSync } from 'node:child_process';
import { createReadStream, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowPage } from '#features/datasets/shared/contract/rows.ts';
import { ask } from '../askStudio.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { readCpu, readMemory } from './processFacts.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

/** `IMPORT_MB=1000 npm run bench -- import` takes a larger file. */
const FILE_MB = Number(process.env['IMPORT_MB'] ?? amount(200, 1));
const ROW_BYTES = 504;
const BOUNDARY = 'bench-import-boundary';
const RARE = 'zyzzogeton';

const print = (line: string): void => void process.stdout.write(`  ${line}\n`);

function openRandom(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** Rows of exactly ROW_BYTES bytes with their line ends; one in the middle has a word that no other has. Returns how many. */
function makeRowsFile(file: string, bytes: number): number {
  const random = openRandom();
  const words = Array.from({ length: 5000 }, () =>
    random(2 ** 31)
      .toString(36)
      .slice(0, 3 + random(5)),
  );
  const rows = Math.floor(bytes / ROW_BYTES);
  const toRow = (at: number): string => {
    const answer = JSON.stringify({ category: words[at % 40], priority: words[at % 4] });
    const toText = (content: string): string =>
      JSON.stringify({
        messages: [
          { role: 'system', content: 'Classify the ticket.' },
          { role: 'user', content },
          { role: 'assistant', content: answer },
        ],
      });
    const room = ROW_BYTES - 1 - toText('').length;
    let question = `${at}${at === rows >> 1 ? ` ${RARE}` : ''}`;
    while (question.length < room) question += ` ${words[random(5000)] ?? ''}`;
    return toText(question.slice(0, room - 1).padEnd(room, '.'));
  };
  const out = openSync(file, 'w');
  for (let at = 0; at < rows; at += 1000) {
    const count = Math.min(1000, rows - at);
    writeSync(out, `${Array.from({ length: count }, (_, more) => toRow(at + more)).join('\n')}\n`);
  }
  closeSync(out);
  return rows;
}

const READER = `const { createReadStream } = require('node:fs'); const cpu = process.cpuUsage(); const start = performance.now();
let rows = 0; const lines = require('node:readline').createInterface({ input: createReadStream(process.argv[1]), crlfDelay: Infinity });
lines.on('line', (line) => { JSON.parse(line); rows += 1; });
lines.on('close', () => { const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ rows, ms: performance.now() - start, cpuMs: (user + system) / 1000 })); });`;

interface Taken {
  readonly rows: number;
  readonly ms: number;
  readonly cpuMs: number;
}

const readPlainly = (file: string): Taken =>
  JSON.parse(execFileSync(process.execPath, ['-e', READER, file], { encoding: 'utf8' })) as Taken;

const toField = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Sends a file as it is read. Returns the id of its dataset. */
function upload({ origin, token }: StartedStudio, file: string, project: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      origin + '/api/v1/public/datasets/create-from-jsonl',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      },
      async (response) => {
        const text = (await response.toArray()).join('');
        if (response.statusCode === 200) resolve((JSON.parse(text) as { dataset_id: string }).dataset_id);
        else reject(new Error(`${response.statusCode} ${text}`));
      },
    );
    sent.on('error', reject);
    sent.write(
      `${toField('name', 'Bench')}${toField('project_id', project)}--${BOUNDARY}\r\n` +
        'Content-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n',
    );
    const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
    source.on('end', () => sent.end(`\r\n--${BOUNDARY}--\r\n`));
    source.pipe(sent, { end: false });
  });
}

/** Calls `look` every 20 ms until `work` is done. */
async function watch<Value>(work: Promise<Value>, look: () => unknown): Promise<Value> {
  const ended = new AbortController();
  const over = work.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return over;
}

/**
 * Time to the first rows of the table, and to the first hits of searches a second later: pages are asked for until one
 * has a row, or there are no more.
 */
async function measureSearch(studio: StartedStudio, id: string): Promise<void> {
  const opened = performance.now();
  await ask(studio, `/api/v1/studio/datasets/${id}/table?from=0&limit=50`);
  print(`the first rows of the table: ${(performance.now() - opened).toFixed(0)} ms`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const [name, search] of [
    ['a word of one row', RARE],
    ['a word of many rows', 'ticket'],
    ['a text of no row', 'notthereatall'],
  ] as const) {
    const times: number[] = [];
    let pages = 0;
    for (let round = 0; round < 4; round += 1) {
      const from = performance.now();
      let next: number | null = 0;
      pages = 0;
      while (next !== null) {
        const page: RowPage = await ask(
          studio,
          `/api/v1/studio/datasets/${id}/table?search=${search}&from=${next}&limit=50`,
        );
        pages += 1;
        if (page.rows.length > 0) break;
        ({ next } = page);
      }
      times.push(performance.now() - from);
    }
    const [first = 0, ...later] = times;
    print(`search for ${name}: ${first.toFixed(0)} ms at first, then ${median(later).toFixed(0)} ms (${pages} pages)`);
  }
}

/** The slowest answer of /healthz beside an import of its own: answering takes 3 % of the service's time then. */
async function measureHealth(studio: StartedStudio, file: string, project: string): Promise<void> {
  const times: number[] = [];
  await watch(upload(studio, file, project), async () => {
    const from = performance.now();
    await (await fetch(`${studio.origin}/healthz`)).text();
    times.push(performance.now() - from);
  });
  print(
    `/healthz beside another import: ${Math.max(...times).toFixed(0)} ms at worst, ${median(times).toFixed(0)} mostly`,
  );
}

export async function measureImport(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  const file = join(folder, 'rows.jsonl');
  const rows = makeRowsFile(file, FILE_MB * 1e6);
  const small = join(folder, 'small.jsonl');
  makeRowsFile(small, amount(5e6, 5e5));
  const studio = await startStudio({ args: ['--no-sample'], form: 'optimised' });
  const pid = studio.process.pid!;
  try {
    const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', {
      name: 'Bench',
    });
    // Code is compiled, and the database has its buffers, before memory is measured.
    await upload(studio, small, project_id);
    const before = readMemory(pid);
    const cpu = readCpu(pid);
    const from = performance.now();
    let memory = 0;
    const id = await watch(upload(studio, file, project_id), () => {
      memory = Math.max(memory, readMemory(pid));
    });
    const ms = performance.now() - from;
    const cpuMs = readCpu(pid) - cpu;
    const plain = readPlainly(file);
    const toRate = (taken: number): string => Math.round((rows / taken) * 1000).toLocaleString('en');
    print(`${rows.toLocaleString('en')} rows, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
    print(
      `import: ${toRate(ms)} rows/s of wall time, ${toRate(cpuMs)} rows/s of processor time (${(cpuMs / 1000).toFixed(1)} s)`,
    );
    print(
      `lines and JSON.parse: ${toRate(plain.ms)} and ${toRate(plain.cpuMs)} rows/s; ours takes ${(ms / plain.ms).toFixed(2)} and ${(cpuMs / plain.cpuMs).toFixed(2)} times as long`,
    );
    print(`memory at most ${(memory - before).toFixed(0)} MB more (before: ${before.toFixed(0)})`);
    await measureSearch(studio, id);
    await measureHealth(studio, file, project_id);
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
