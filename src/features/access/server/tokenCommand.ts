// `model-studio token add|list|revoke`: works beside a running studio, which sees the change at its next request.
import { stat } from 'node:fs/promises';
import { prepareDataFolder } from '#service/database/dataFolder.ts';
import { openPostgres } from '#service/database/openPostgres.ts';
import { StartError } from '#service/database/startError.ts';
import { SCHEMA } from '#service/database/tables.ts';
import { isObject } from '#core/contract/readJson.ts';
import { openFileTokens } from './fileTokens.ts';
import { openTableTokens } from './tableTokens.ts';
import { readTokenPlace } from './tokenPlace.ts';
import { makeToken, toTokenHash, type TokenStore } from './tokens.ts';

export type TokenAction =
  | { readonly kind: 'add'; readonly name: string; readonly isReadOnly: boolean }
  | { readonly kind: 'list' }
  | { readonly kind: 'revoke'; readonly name: string };

export interface TokenCommand {
  readonly action: TokenAction;
  /** Absolute. */
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

export interface TokenDeps {
  readonly now: () => Date;
  readonly random: (bytes: number) => string;
}

export interface TokenReport {
  /** What was asked for, for stdout: of a new token the token alone, so that it can be written to a file. */
  readonly lines: readonly string[];
  /** Words for people, for stderr. */
  readonly notes: readonly string[];
  readonly exitCode: 0 | 1;
}

const fail = (note: string): TokenReport => ({ lines: [], notes: [note], exitCode: 1 });

const toAccess = (isReadOnly: boolean): string => (isReadOnly ? 'read only' : 'read and write');

/** Does it in an open store. */
async function actOnTokens(store: TokenStore, action: TokenAction, deps: TokenDeps): Promise<TokenReport> {
  if (action.kind === 'list') {
    const tokens = await store.list();
    const width = Math.max(0, ...tokens.map(({ name }) => name.length));
    const lines = tokens.map(
      ({ name, isReadOnly, createdAt }) =>
        `${name.padEnd(width)}  ${toAccess(isReadOnly).padEnd(14)}  made ${createdAt.toISOString().slice(0, 10)}`,
    );
    return { lines, notes: lines.length > 0 ? [] : ['There are no named tokens.'], exitCode: 0 };
  }
  const { name } = action;
  if (action.kind === 'revoke') {
    const isRevoked = await store.revoke(name);
    return isRevoked
      ? { lines: [], notes: [`The token of ${name} is worth nothing from now on.`], exitCode: 0 }
      : fail(`There is no token of ${name}. "token list" shows what there is.`);
  }
  const token = makeToken(deps.random);
  const hash = toTokenHash(token) ?? '';
  const { isReadOnly } = action;
  if ((await store.add({ name, isReadOnly, createdAt: deps.now() }, hash)) === 'taken')
    return fail(`There is a token of ${name} already. Revoke it first, or choose another name.`);
  return {
    lines: [token],
    notes: [`This is the token of ${name} (${toAccess(isReadOnly)}). It is shown once and not kept.`],
    exitCode: 0,
  };
}

async function withTable<T>(databaseUrl: string, run: (store: TokenStore) => Promise<T>): Promise<T> {
  const database = await openPostgres(databaseUrl, () => undefined);
  try {
    const { rows } = await database.executeSql(`select to_regclass('${SCHEMA}.tokens') is not null as is_there`);
    if (!isObject(rows[0]) || rows[0]['is_there'] !== true)
      throw new StartError('The database has no table of tokens yet. Start the studio once, and it makes its tables.');
    return await run(openTableTokens(database));
  } finally {
    await database.close();
  }
}

/** Throws StartError when the place of the tokens can't be used. */
export async function runTokenCommand(
  { action, dataDir, databaseUrl }: TokenCommand,
  deps: TokenDeps,
): Promise<TokenReport> {
  if (databaseUrl !== null) return withTable(databaseUrl, (store) => actOnTokens(store, action, deps));
  const address = await readTokenPlace(dataDir);
  if (address !== null)
    throw new StartError(
      `The studio on ${dataDir} has its tokens in PostgreSQL at ${address}, where this command does not look. Set the ` +
        'same DATABASE_URL for it. To use the embedded database instead, start the studio without DATABASE_URL once.',
    );
  // Only an addition makes the folder: elsewhere a wrong --data would leave an empty one.
  if (action.kind === 'add') await prepareDataFolder(dataDir);
  else if (!(await stat(dataDir).catch(() => null)))
    throw new StartError(`There is no data folder ${dataDir}. Give that of the studio with --data.`);
  return actOnTokens(openFileTokens(dataDir), action, deps);
}
