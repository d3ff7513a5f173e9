// `npm run real`: shows the studio what the real tools of today make, and writes what came of it to README.md. By hand: each
// check installs its tools, and takes minutes. `npm run real -- NAME ...` runs some; `npm run real -- NAME -- ARGUMENT ...`
// gives one more arguments.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const FOLDER = import.meta.dirname;
const README = join(FOLDER, 'README.md');
/** The row of a check: name, what ran, verdict, date. */
const ROW = /^\| `([\w-]+)` \|.*\|$/;

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sh'))
  .map((file) => basename(file, '.sh'))
  .toSorted();

interface Verdict {
  readonly ran: string;
  readonly verdict: string;
  readonly isRight: boolean;
}

/** A check writes what ran, with versions, and its verdict: two lines of the file `$VERDICT`. It fails with another code than 0. */
async function check(name: string, given: readonly string[]): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'model-studio-real-'));
  const file = join(folder, 'verdict');
  try {
    const child = spawn('bash', [join(FOLDER, `${name}.sh`), ...given], {
      stdio: 'inherit',
      env: { ...process.env, VERDICT: file },
    });
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('exit', resolve).once('error', reject),
    );
    writeFileSync(file, '', { flag: 'a' });
    const [ran = '', verdict = ''] = readFileSync(file, 'utf8').split('\n');
    const isRight = code === 0 && verdict !== '';
    return { ran, verdict: isRight ? verdict : `**fails**: ${verdict || `it ended with ${code}`}`, isRight };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(name: string, { ran, verdict }: Verdict): void {
  const lines = readFileSync(README, 'utf8').trimEnd().split('\n');
  const date = new Date().toISOString().slice(0, 10);
  const row = `| \`${name}\` | ${ran} | ${verdict} | ${date} |`;
  const at = lines.findIndex((line) => ROW.exec(line)?.[1] === name);
  if (at === -1) lines.push(row);
  else lines[at] = row;
  writeFileSync(README, `${lines.join('\n')}\n`);
}

const given = process.argv.slice(2);
const end = given.indexOf('--');
const wanted = end === -1 ? given : given.slice(0, end);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No check named ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`);
  process.exitCode = 1;
} else {
  for (const name of wanted.length > 0 ? wanted : names) {
    process.stdout.write(`\n# ${name}\n`);
    const verdict = await check(name, end === -1 ? [] : given.slice(end + 1));
    write(name, verdict);
    process.stdout.write(`${name}: ${verdict.verdict}\n`);
    if (!verdict.isRight) process.exitCode = 1;
  }
}
