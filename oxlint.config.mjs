// What the code may do, and which part may import which: app -> features -> ui, service -> trainer -> engine -> core.

/** What each feature offers to the others: they may import these files of it and no others. */
const OFFERS = {
  access: ['server/tokens.ts', 'shared/activity.ts', 'web/activityQuery.ts', 'web/activityWords.ts'],
  datasets: [
    'server/datasets.ts',
    'server/importing/importFailures.ts',
    'server/importing/nodeIds.ts',
    'server/importing/removal.ts',
    'server/importing/storeQueue.ts',
    'server/routes/upload.ts',
    'server/rowKinds.ts',
    'server/rows/importedRow.ts',
    'server/rows/rowBlocks.ts',
    'server/rows/rowStore.ts',
    'server/rows/snapshotFrame.ts',
    'server/rows/snapshotRows.ts',
    'shared/answerShape.ts',
    'shared/contentHash.ts',
    'shared/contract/datasets.ts',
    'shared/contract/rows.ts',
    'shared/findings/answerForm.ts',
    'shared/findings/languages.ts',
    'shared/findings/sameQuestions.ts',
    'shared/lineCutter.ts',
    'shared/parquet/parquetFile.ts',
    'shared/split.ts',
    'web/importing/FileChoice.tsx',
    'web/api/dataChanges.ts',
    'web/api/dataRefusal.ts',
    'web/api/projectImport.ts',
    'web/api/rowQueries.ts',
    'web/api/sendForm.ts',
    'web/api/upload.ts',
    'web/importing/makeUuid.ts',
  ],
  evaluation: [
    'server/evaluationTransfer.ts',
    'shared/contract/evaluationTransfer.ts',
    'shared/agreement.ts',
    'shared/distinctStarts.ts',
    'shared/evaluationMeasure.ts',
    'shared/pairedTest.ts',
    'shared/passRate.ts',
    'shared/passRateDifference.ts',
    'shared/scoreText.ts',
    'shared/template.ts',
    'shared/toolCalls.ts',
    'web/GridPanel.tsx',
    'web/GridsRow.tsx',
    'web/askCell.ts',
    'web/grid/gridBook.ts',
    'web/grid/gridExport.ts',
    'web/grid/sampling.ts',
    'web/exportGrid.ts',
    'web/gridEntry.ts',
    'web/gridList.ts',
    'web/gridStore.ts',
    'web/records/EvaluationsPanel.tsx',
  ],
  experiments: [
    'server/catalogue.ts',
    'server/reasonText.ts',
    'server/snapshotFacts.ts',
    'shared/alreadyRun.ts',
    'shared/baseModels.ts',
    'shared/candidates.ts',
    'shared/configText.ts',
    'shared/exports/axolotlConfig.ts',
    'shared/exports/exportInput.ts',
    'shared/fieldLabels.ts',
    'shared/grouping.ts',
    'shared/measures.ts',
    'shared/otherData.ts',
    'shared/rates.ts',
    'shared/trainingMemory.ts',
    'shared/settingWords.ts',
    'shared/trainingWords.ts',
    'web/findBestModel.ts',
    'web/mainMeasure.ts',
    'web/recommendationRequest.ts',
  ],
  notes: ['server/notes.ts', 'shared/notes.ts', 'web/noteQueries.ts'],
  playground: ['server/chatRoute.ts', 'web/desk/modelOptions.ts'],
  'project-files': ['shared/transfer.ts'],
  projects: [
    'server/models.ts',
    'server/sampleFiles.ts',
    'server/statusCause.ts',
    'server/studio.ts',
    'web/treeIndex/treeIndex.ts',
  ],
  runs: [
    'server/disk/fileCalls.ts',
    'server/disk/folderFiles.ts',
    'server/disk/safeFile.ts',
    'server/curvePoints/columns.ts',
    'server/reader.ts',
    'server/replaceFile.ts',
    'server/runDetail.ts',
    'server/runs.ts',
    'shared/runs.ts',
    'shared/settings/divergedRun.ts',
    'shared/settings/runFacts.ts',
    'shared/settings/settingRecord.ts',
    'shared/settings/settingTable.ts',
    'shared/settings/downsampleCurve.ts',
    'web/GgufLinks.tsx',
    'web/api/runQueries.ts',
    'web/api/runRootsQuery.ts',
    'web/curves/LossCurves.tsx',
    'web/curves/RunLosses.tsx',
    'web/curves/curveMath/losses.ts',
  ],
  serving: [
    'server/convertedFiles.ts',
    'web/ServingDialog.tsx',
    'web/ServingWays.tsx',
    'web/servingQueries.ts',
    'web/servingWords.ts',
  ],
  traces: ['web/KeptNote.tsx', 'web/TracesPanel.tsx'],
  training: [
    'server/deploy.ts',
    'server/keptFiles.ts',
    'server/modelFiles.ts',
    'server/trainingTables.ts',
    'shared/baseProblem.ts',
    'shared/parityRefusal.ts',
    'shared/trainedModelIds.ts',
    'web/api/trainingQueries.ts',
  ],
};

const NODE_FREE = { 'import/no-nodejs-modules': 'error' };

/** The imports that files of these folders may not have. */
const forbid = (files, group, message, rules = {}) => ({
  files,
  rules: {
    ...rules,
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { group, message },
          { group: ['**/*.fixture.ts'], message: 'Fixtures are for tests.' },
        ],
      },
    ],
  },
});

const ALL = ['core', 'engine', 'trainer', 'service', 'ui', 'features', 'app'];

/** `#name/**` of all parts but these. */
const allBut = (...parts) => ALL.filter((part) => !parts.includes(part)).map((part) => `#${part}/**`);

const BELOW = 'Imports run app -> features -> ui, service -> trainer -> engine -> core.';
/** What the page may know of the built-in trainer: what it can train, and what it says. */
const TRAINER_FACTS = ['!#trainer/shared/**', '!#trainer/protocol/**'];

const features = Object.keys(OFFERS).flatMap((feature) => {
  const others = Object.entries(OFFERS).flatMap(([name, offered]) =>
    name === feature ? [] : offered.map((file) => `!#features/${name}/${file}`),
  );
  const own = (side) => `!#features/${feature}/${side}/**`;
  const message = 'Of another feature only what it offers may be imported (OFFERS in oxlint.config.mjs).';
  const isPage = (file) => !file.includes('/server/');
  const isServer = (file) => !file.includes('/web/');
  return [
    forbid(
      [`src/features/${feature}/{shared,web}/**`],
      [...allBut('core', 'ui'), ...TRAINER_FACTS, own('shared'), own('web'), ...others.filter(isPage)],
      message,
      NODE_FREE,
    ),
    forbid(
      [`src/features/${feature}/server/**`],
      ['#app/**', '#ui/**', '#features/**', own('shared'), own('server'), ...others.filter(isServer)],
      message,
    ),
  ];
});

export default {
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'promise', 'unicorn', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/no-danger': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'react/incompatible-library': 'off',
  },
  overrides: [
    forbid(['src/core/**'], allBut('core'), BELOW, NODE_FREE),
    forbid(['src/ui/**'], allBut('core', 'ui'), BELOW, NODE_FREE),
    forbid(['src/engine/**'], allBut('core', 'service', 'engine'), BELOW),
    forbid(['src/service/**'], allBut('core', 'engine', 'service'), BELOW),
    forbid(['src/trainer/**'], allBut('core', 'engine', 'service', 'trainer'), BELOW),
    forbid(['src/trainer/{shared,protocol}/**'], [...allBut('core'), ...TRAINER_FACTS], BELOW, NODE_FREE),
    ...features,
    forbid(
      ['src/app/web/**'],
      ['#engine/**', '#service/**', '#trainer/**', ...TRAINER_FACTS, '#app/server/**', '#features/*/server/**'],
      'The page runs without the service.',
      NODE_FREE,
    ),
    forbid(
      ['src/app/server/**'],
      ['#ui/**', '#app/web/**', '#features/*/web/**'],
      'The service runs without the page.',
    ),
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: { 'max-lines': ['error', { max: 400 }], 'max-lines-per-function': ['error', { max: 120 }] },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/*.fixture.ts', 'e2e/**'],
      rules: {
        'max-lines-per-function': 'off',
        'typescript/no-non-null-assertion': 'off',
        'no-console': 'off',
        'no-restricted-imports': 'off',
        'import/no-nodejs-modules': 'off',
        'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      },
    },
  ],
};
