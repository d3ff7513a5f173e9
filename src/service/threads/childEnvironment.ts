// What child processes need to know of the service's environment.

const SECRETS: ReadonlySet<string> = new Set([
  'STUDIO_TOKEN',
  'STUDIO_API_KEY',
  'STUDIO_ENGINE_KEY',
  'STUDIO_EVALUATOR_TOKEN',
  // The address of a chat's webhook is its key.
  'STUDIO_WEBHOOK',
  'STUDIO_WEBHOOK_SECRET',
  'DATABASE_URL',
]);

/** Names what launch.mjs has set for glibc, which fits the studio's own processes: trainers and browsers get none of it. */
const OWN = 'STUDIO_MALLOC';

function without(env: NodeJS.ProcessEnv, names: ReadonlySet<string>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

/** The environment for a child process: without tokens, keys and the database's address. */
export const withoutSecrets = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  without(env, new Set([...SECRETS, OWN, ...(env[OWN]?.split(' ') ?? [])]));

/** The same for a process of the studio itself. */
export const forOwnProcess = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => without(env, SECRETS);
