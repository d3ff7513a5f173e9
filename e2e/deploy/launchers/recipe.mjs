// What sky.mjs and hf-jobs.mjs have in common: they answer the words of a launcher of the kind `command`, and bring the worker's
// token to a machine that shares no folder with the studio. Node alone, no packages.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The studio waits 60 seconds for an answer, whatever it takes to find it. */
const endsAt = Date.now() + Number(process.env.ANSWER_SECONDS ?? 50) * 1000;
/** The variable that holds the token, as a secret of the job, until the worker begins. */
const SECRET = 'STUDIO_WORKER_TOKEN';
/** Characters of one part of a log. */
const LOG_PART = 96 * 1024;
/** Exit code of `timeout`, which ends a worker after its minutes. */
const TIMED_OUT = 124;

/** The cluster refuses the job, and will refuse it again. */
export class Refused extends Error {}

/** The options that the operator wrote in launchers.json, and the word that follows them: `what`. */
export function readArguments(what) {
  const words = process.argv.slice(2, -1);
  if (words.length === 0) {
    process.stderr.write(`"command" in launchers.json names no ${what} behind the script\n`);
    process.exit(1);
  }
  return { options: words.slice(0, -1), last: words.at(-1) };
}

const toPlain = (text) => stripVTControlCharacters(text).replaceAll('\r\n', '\n');

/** Runs a program; resolves to its exit code and output, without colours. */
export function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const output = { out: '', err: '' };
    for (const [name, stream] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ])
      stream.setEncoding('utf8').on('data', (text) => (output[name] += text));
    const timer = setTimeout(
      () => {
        process.kill(-child.pid, 'SIGKILL');
        reject(new Error(`${program} ${args.slice(0, 2).join(' ')} did not answer in time`));
      },
      Math.max(0, endsAt - Date.now()),
    );
    child.once('error', ({ code }) => {
      clearTimeout(timer);
      reject(new Error(`${program} can not be started (${code}): install it on this machine, in PATH`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === null) reject(new Error(`${program} was ended by ${signal}`));
      else resolve({ code, out: toPlain(output.out), err: toPlain(output.err) });
    });
  });
}

/** What went wrong: from the last line that names an error on, without hints; if none does, all. */
export function toProblem(program, { code, out, err }) {
  const lines = `${out}\n${err}`.split('\n').map((line) => line.trim());
  const told = lines.filter((line) => line !== '' && !/^(Hint:|For more information)/.test(line));
  const at = told.findLastIndex((line) => /^(Error:|[\w.]+(Error|Exception)\b[^:]*:) /.test(line));
  const words = told
    .slice(Math.max(0, at))
    .join(' ')
    .replace(/^Error: /, '');
  return words || `${program} ended with the exit code ${code}`;
}

/** What a program printed. Throws an Error with its `exitCode`, if that is not 0. */
export async function runWell(program, args) {
  const told = await run(program, args);
  if (told.code !== 0) throw Object.assign(new Error(toProblem(program, told)), { exitCode: told.code });
  return told.out;
}

/** The JSON that a program printed; null: there is nothing. */
export function parseJson(program, text) {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${program} printed no JSON: ${JSON.stringify(text.trim().slice(0, 80))}`);
  }
}

/** A word as a POSIX shell reads it back. */
const quote = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What a machine runs: the worker, whose token is in a file of its own, and in the environment of nothing. */
export function toNodeScript({ command, folder, minutes }) {
  const places = new Map([
    [join(folder, 'token'), '"$own/token"'],
    [join(dirname(folder), 'worker'), '"$own/worker"'],
  ]);
  const words = command.map((word) => places.get(word) ?? quote(word));
  const limit = minutes ? `timeout -s TERM -k 120 ${minutes * 60} ` : '';
  return [
    'umask 077',
    `own=$(mktemp -d) && printf '%s\\n' "$${SECRET}" >"$own/token" || exit 1`,
    `unset ${SECRET}`,
    `exec ${limit}${words.join(' ')}`,
  ].join('\n');
}

/** Writes the file from which the tool takes the token; its path. */
export function writeSecrets(folder) {
  const file = join(folder, 'secrets');
  writeFileSync(file, `${SECRET}=${readFileSync(join(folder, 'token'), 'utf8').trim()}\n`, { mode: 0o600 });
  return file;
}

/** A job that ended by itself, from the tool's own words. */
export function toEnd(said) {
  const words = toPlain(said);
  const code = Number(/exit codes?:? \[?(\d+)/i.exec(words)?.[1] ?? Number.NaN);
  const cause = /\bOOM|out of memory|too much memory/i.test(words) ? 'memory' : code === TIMED_OUT ? 'time' : null;
  return { state: 'ended', code: Number.isNaN(code) ? null : code, cause, reason: words || null };
}

export function toLogPart(text, from) {
  // A letter of two halves comes whole with the next part.
  const part = text.slice(from, from + LOG_PART).replace(/[\uD800-\uDBFF]$/, '');
  return { text: part, next: from + part.length };
}

/** Answers the word that is the last argument. What is thrown is a line of the error output, and the studio asks again. */
export async function answer(verbs) {
  try {
    const asked = JSON.parse(readFileSync(0, 'utf8'));
    if (asked.gpus > 0) throw new Refused('"gpus" has no effect here: take it out, and name the machine in "command"');
    process.stdout.write(JSON.stringify(await verbs[process.argv.at(-1)](asked)));
  } catch (error) {
    if (error instanceof Refused) process.stdout.write(JSON.stringify({ refused: error.message }));
    else {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    }
  }
}
