// What a service answers of its activity. Entries that can't be read are left out.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#shared/contract/reading.ts';
import type { ActivityEntry, ActivityPage } from './activity.ts';

function toEntry(value: unknown): ActivityEntry[] {
  if (!isObject(value)) return [];
  const { id, at, who, method, route, path } = value;
  if (typeof id !== 'number' || typeof at !== 'string' || typeof path !== 'string') return [];
  return [{ id, at, who: textOr(who, null), method: textOr(method, ''), route: textOr(route, path), path }];
}

export function readActivity(body: unknown): Read<ActivityPage> {
  if (!isObject(body) || !Array.isArray(body['entries'])) return failRead('the answer has no entries');
  return {
    ok: true,
    value: { entries: arrayOr(body['entries']).flatMap(toEntry), next: numberOr(body['next'], null) },
  };
}
