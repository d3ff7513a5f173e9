// `npm run bench`: every figure beside its baseline in one run. `npm run bench -- streaming gateway` runs some.
import { measureCompile } from './compile.ts';
import { measureCurves } from './curves.ts';
import { measureEngine } from './engineHttp.ts';
import { measureFirstView } from './firstView.ts';
import { measureFlood } from './flood.ts';
import { measureGateway } from './gateway.ts';
import { measureImport } from './import.ts';
import { measureKills } from './kills.ts';
import { measureLiveRun } from './liveRun.ts';
import { measureLoad } from './load.ts';
import { measureNewData } from './newData.ts';
import { measureQueue } from './queue.ts';
import { measurePollers } from './pollers.ts';
import { measureReloads } from './reloads.ts';
import { measureRows } from './rows.ts';
import { measureRuns } from './runs.ts';
import { measureStart } from './start.ts';
import { measureStreaming } from './streaming.ts';
import { measureTrain } from './train.ts';
import { measureTree } from './tree.ts';
import { measureTable } from './table.ts';

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
  train: measureTrain,
  live: measureLiveRun,
  newdata: measureNewData,
  import: measureImport,
  kills: measureKills,
  load: measureLoad,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  process.stderr.write(`No benchmark named ${unknown.join(', ')}. There are: ${Object.keys(SECTIONS).join(', ')}.\n`);
  process.exitCode = 1;
} else {
  for (const [name, measure] of Object.entries(SECTIONS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stdout.write(`\n# ${name}\n`);
    await measure();
  }
}
