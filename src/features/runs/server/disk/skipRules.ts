// Folders that hold no runs, and many files.

const WASTE: Readonly<Record<string, string>> = {
  node_modules: 'packages of Node',
  'site-packages': 'packages of Python',
  '.venv': 'packages of Python',
  __pycache__: 'compiled Python',
  '.git': 'the history of a repository',
  '.ipynb_checkpoints': 'copies of notebooks',
  '.pytest_cache': 'a cache of tests',
  '.ruff_cache': 'a cache of a linter',
  '.mypy_cache': 'a cache of a type checker',
  '.tox': 'environments of tests',
  '.trash': 'deleted runs',
  last_run_prepared: "Axolotl's tokenized rows",
  'lost+found': 'what a disk check found',
};

/** Why a folder is not looked into, in words; null: it is. */
export function findSkipReason(path: string): string | null {
  const [name = '', parent = '', above = '', top = ''] = path.split('/').reverse();
  const waste = Object.hasOwn(WASTE, name) ? WASTE[name] : undefined;
  if (waste) return `It holds ${waste}.`;
  if (name === 'blobs' && /^(models|datasets|spaces)--/.test(parent))
    return 'It holds files of the Hugging Face cache.';
  if (name === 'media' && parent === 'files' && top === 'wandb' && /run-/.test(above))
    return 'It holds media of Weights & Biases.';
  return null;
}

/** Whether it is a link that a tool makes for itself: W&B's to the log of its own service, in a temporary folder. */
export const isOwnLink = (path: string): boolean => /(?:^|\/)(?:offline-)?run-[^/]+\/logs\/debug-core\.log$/.test(path);
