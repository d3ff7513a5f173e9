import { expect, it } from 'vitest';
import { connect } from '#ui/client/server.fixture.ts';
import { readPositions } from './rowQueries.ts';

/** A service with 450 rows, of which a search finds each third one. Pages of 200 positions, one without any row. */
async function serve() {
  const asked: string[] = [];
  const connection = await connect((request, response) => {
    const url = new URL(request.url ?? '', 'http://studio');
    asked.push(url.search);
    const from = Number(url.searchParams.get('from') ?? 0);
    const end = Math.min(450, from + 200);
    const positions = Array.from({ length: end - from }, (_, at) => from + at).filter((at) => at < 200 || at >= 400);
    const rows = positions.filter((at) => at % 3 === 0).map((position) => ({ position }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ total: 450, rows, next: end < 450 ? end : null, found: null }));
  });
  return { asked, connection };
}

it('reads the positions of all rows that a filter finds, page by page', async () => {
  const { asked, connection } = await serve();
  const positions = await readPositions({ kind: 'dataset', id: 'd1' }, { search: 'x' }, 10_000, connection);
  expect([positions.length, positions[0], positions.at(-1)]).toEqual([83, 0, 447]);
  expect(asked.every((query) => query.includes('search=x'))).toBe(true);
  expect(asked).toHaveLength(3);
});

it('reads no more than are wanted', async () => {
  const { asked, connection } = await serve();
  expect(await readPositions({ kind: 'dataset', id: 'd1' }, {}, 5, connection)).toEqual([0, 3, 6, 9, 12]);
  expect(asked).toHaveLength(1);
});
