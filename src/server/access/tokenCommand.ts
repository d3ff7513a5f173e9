// `model-studio token add|list|revoke`: works beside a running studio, which sees the change at its next request.
import { stat } from 'node:fs/promises';
import { prepareDataFolder } from '#server/studio/dataFolder.ts';
import { openPostgres } from '#server/studio/openPostgres.ts';
import { StartError } from '#server/studio/studio.ts';
import { SCHEMA } from '#server/studio/tables.ts';
import { isObject } from '#shared/contract/reading.ts';
import { openFileTokens } from './fileTokens.ts';
import { openTableTokens } from './tableTokens.ts';
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
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1;
}

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
    return { lines: lines.length > 0 ? lines : ['There are no named tokens.'], exitCode: 0 };
  }
  const { name } = action;
  if (action.kind === 'revoke') {
    const isRevoked = await store.revoke(name);
    return isRevoked
      ? { lines: [`The token of ${name} is worth nothing from now on.`], exitCode: 0 }
      : { lines: [`There is no token of ${name}. "token list" shows what there is.`], exitCode: 1 };
  }
  const token = makeToken(deps.random);
  const hash = toTokenHash(token) ?? '';
  const { isReadOnly } = action;
  if ((await store.add({ name, isReadOnly, createdAt: deps.now() }, hash)) === 'taken')
    return { lines: [`There is a token of ${name} already. Revoke it first, or choose another name.`], exitCode: 1 };
  return {
    lines: [token, `This is the token of ${name} (${toAccess(isReadOnly)}). It is shown once and not kept.`],
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
  // Only an addition makes the folder: elsewhere a wrong --data would leave an empty one.
  if (action.kind === 'add') await prepareDataFolder(dataDir);
  else if (!(await stat(dataDir).catch(() => null)))
    throw new StartError(`There is no data folder ${dataDir}. Give that of the studio with --data.`);
  return actOnTokens(openFileTokens(dataDir), action, deps);
}
