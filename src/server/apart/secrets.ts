// What no child process needs to know.

const SECRETS: ReadonlySet<string> = new Set(['STUDIO_TOKEN', 'STUDIO_API_KEY', 'STUDIO_ENGINE_KEY', 'DATABASE_URL']);

/** The environment for a child process: without tokens, keys and the database's address. */
export function withoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.has(name)));
}
