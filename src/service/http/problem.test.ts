import { DrizzleQueryError } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { EngineError } from '#engine/engine.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { Refusal } from './refusal.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { HttpProblem } from './httpProblem.ts';
import { problemEnvelope, toProblem } from './problem.ts';

function convert(error: unknown): { problem: HttpProblem; log: string[] } {
  const log: string[] = [];
  return { problem: toProblem(error, 'req-1', (line) => void log.push(line)), log };
}

describe('toProblem', () => {
  it('keeps a problem as it is, and out of the log', () => {
    const given = new HttpProblem(409, 'Busy.', { code: 'busy', param: 'id', headers: { 'Retry-After': '1' } });
    expect(convert(given)).toEqual({ problem: given, log: [] });
  });

  it("takes status, code and field of an engine's failure", () => {
    const { problem, log } = convert(new EngineError('Too long.', 400, 'context_length_exceeded', 'messages'));
    expect(problem).toMatchObject({
      status: 400,
      message: 'Too long.',
      code: 'context_length_exceeded',
      param: 'messages',
    });
    expect(log).toEqual([]);
  });

  it('takes what a room refuses, and when to try again what was one too many', () => {
    const { problem, log } = convert(new Refusal(429, 'Wait.', 'too_many_imports'));
    expect(problem).toMatchObject({ status: 429, code: 'too_many_imports', headers: { 'Retry-After': '5' } });
    expect(log).toEqual([]);
    const full = convert(new Refusal(409, 'It has ended.', 'ended', 'id')).problem;
    expect([full.status, full.param, full.headers]).toEqual([409, 'id', {}]);
  });

  it('takes the time after which an engine may be asked again', () => {
    const error = new EngineError('Loading.', 503, 'upstream_not_ready', null, '9');
    expect(convert(error).problem).toMatchObject({ status: 503, headers: { 'Retry-After': '9' } });
    expect(convert(new EngineError('Busy.', 429, 'rate_limited')).problem.headers).toEqual({});
  });

  it('says which time a file has not answered, and when to try again', () => {
    expect(convert(new Silence(Date.UTC(2026, 0, 2, 10, 42, 7))).problem).toMatchObject({
      status: 503,
      code: 'file_silent',
      message:
        "A file can't be read: its disk or network mount has not answered since 10:42:07 UTC. Check the mount, and try again.",
      headers: { 'Retry-After': '30' },
    });
  });

  it('logs the cause of a failed query and where it was asked, not the values, which are rows of people', () => {
    const cause = new Error('value "2147483648" is out of range for type integer');
    const { problem, log } = convert(new DrizzleQueryError('insert into rows', ['My diary\n    at home'], cause));
    expect(problem.status).toBe(500);
    expect(log[0]).toMatch(/^Request req-1 failed: A query failed: value "2147483648" is out of range[^\n]*\n +at /);
    expect(log.join()).not.toMatch(/diary|insert|home/);
  });

  it('says that the disk is full', () => {
    const { problem, log } = convert(new DrizzleQueryError('insert', [], new Error('No space left on device')));
    expect(problem).toMatchObject({
      status: 507,
      code: 'disk_full',
      message: expect.stringContaining('Free some space'),
    });
    expect(log).toEqual([]);
  });

  it("says that the database can't be asked, and when to try again", () => {
    const { problem, log } = convert(new DatabaseUnavailable('It is down.'));
    expect(problem).toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: 'It is down.',
      headers: { 'Retry-After': '2' },
    });
    expect(log).toEqual([]);
  });

  it.each([new Error('password=hunter2'), 'hunter2', null, undefined, { hunter2: true }, new TypeError('hunter2')])(
    'hides anything else: %s',
    (error) => {
      const { problem, log } = convert(error);
      expect(problem.status).toBe(500);
      expect(problem.message).not.toContain('hunter2');
      expect(problem.message).toContain('req-1');
      expect(log).toHaveLength(1);
      expect(log[0]).toContain('req-1');
    },
  );

  it('logs where an unexpected failure came from', () => {
    expect(convert(new Error('broken pipe')).log[0]).toMatch(/broken pipe[^]*problem\.test\.ts/);
  });
});

describe('problemEnvelope', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'server_error'],
    [502, 'server_error'],
  ])('%i is a %s', (status, type) => {
    expect(problemEnvelope(new HttpProblem(status, 'Text.'))).toEqual({
      error: { message: 'Text.', type, param: null, code: null },
    });
  });

  it('carries code and field', () => {
    expect(problemEnvelope(new HttpProblem(400, 'Text.', { code: 'c', param: 'p' })).error).toMatchObject({
      code: 'c',
      param: 'p',
    });
  });
});
