// `npm run bench`: every figure beside its baseline in one run. `npm run bench -- streaming gateway` runs some.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measureCompile } from './compile.ts';
import { measureCurves } from './curves.ts';
import { measureDecide } from './decide.ts';
import { measureEngine } from './engineHttp.ts';
import { measureEvaluations } from './evaluations.ts';
import { measureEvaluationStorage } from './evaluationStorage.ts';
import { measureFirstModel } from './firstModel.ts';
import { measureFirstView } from './firstView.ts';
import { measureFlood } from './flood.ts';
import { measureGateway } from './gateway.ts';
import { measureHalving } from './halving.ts';
import { measureImport } from './import.ts';
import { measureKills } from './kills.ts';
import { measureLiveRun } from './liveRun.ts';
import { measureLoad } from './load.ts';
import { measureMessyRows } from './messyRows.ts';
import { measureNewData } from './newData.ts';
import { measureQueue } from './queue.ts';
import { measurePollers } from './pollers.ts';
import { measureRegret } from './regret.ts';
import { measureReloads } from './reloads.ts';
import { measureRows } from './rows.ts';
import { measureRuns } from './runs.ts';
import { isShort } from './short.ts';
import { measureStart } from './start.ts';
import { measureStreaming } from './streaming.ts';
import { measureTemplates } from './templates.ts';
import { measureTraces } from './traces.ts';
import { measureTrain } from './train.ts';
import { measureTree } from './tree.ts';
import { measureTable } from './table.ts';
import { measureVersions } from './versions.ts';

const SECTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  start: measureStart,
  view: measureFirstView,
  streaming: measureStreaming,
  flood: measureFlood,
  tree: measureTree,
  gateway: measureGateway,
  engine: measureEngine,
  queue: measureQueue,
  compile: measureCompile,
  table: measureTable,
  curves: measureCurves,
  pollers: measurePollers,
  reloads: measureReloads,
  runs: measureRuns,
  rows: measureRows,
  messy: measureMessyRows,
  templates: measureTemplates,
  train: measureTrain,
  traces: measureTraces,
  halving: measureHalving,
  live: measureLiveRun,
  newdata: measureNewData,
  first: measureFirstModel,
  regret: measureRegret,
  import: measureImport,
  kills: measureKills,
  load: measureLoad,
  versions: measureVersions,
  decide: measureDecide,
  evaluations: measureEvaluations,
  storage: measureEvaluationStorage,
};

const AT_ONCE = 2;

/** Those whose short forms together take less than a minute. Others train for minutes, or start many services. */
const QUICK = 'streaming flood gateway engine queue table curves rows messy train traces import'.split(' ');

/** What a section writes when it has measured nothing, or found something broken. */
const MISSING = /\b(?:NaN|Infinity|undefined|END NOT SHOWN|INCOMPLETE|NOT COMPLETE)\b/;

/** Runs a section. Throws when it writes no figure, or one that is none: a section can break and go on. */
async function run(name: string, measure: () => Promise<unknown>): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  let written = '';
  process.stdout.write = (text: string | Uint8Array) => {
    written += text.toString();
    return write(text);
  };
  try {
    write(`\n# ${name}\n`);
    await measure();
  } finally {
    process.stdout.write = write;
  }
  const missing = MISSING.exec(written);
  if (missing) throw new Error(`${name} has written ${missing[0]}.`);
  if (!/\d/.test(written)) throw new Error(`${name} has written no figure.`);
}

/** The short forms of sections side by side, each in a process of its own: they wait for most of their time. */
async function checkAll(names: string[]): Promise<void> {
  const checkNext = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const started = performance.now();
      const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, '--short', name]);
      let written = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (written += text));
      const [code] = await once(child, 'close');
      process.stdout.write(`${written}  ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
      if (code !== 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
}

const wanted = process.argv.slice(2).filter((name) => name !== '--short');
const unknown = wanted.filter((name) => !(name in SECTIONS));
const all = isShort ? QUICK : Object.keys(SECTIONS);
const names = wanted.length > 0 ? wanted : all;
if (unknown.length > 0) {
  process.stderr.write(`No benchmark named ${unknown.join(', ')}. There are: ${Object.keys(SECTIONS).join(', ')}.\n`);
  process.exitCode = 1;
} else if (isShort && names.length > 1) await checkAll(names);
else for (const name of names) await run(name, SECTIONS[name]!);
