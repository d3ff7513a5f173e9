// What a service answers of its activity. Entries that can't be read are left out.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#core/contract/reading.ts';
import type { ActivityEntry, ActivityNode, ActivityPage } from './activity.ts';

function toNode(value: unknown): ActivityNode | null {
  if (!isObject(value)) return null;
  const { id, type, label, project_id, is_deleted } = value;
  if (typeof id !== 'string' || typeof project_id !== 'string') return null;
  return { id, type: textOr(type, ''), label: textOr(label, id), project_id, is_deleted: is_deleted === true };
}

function toEntry(value: unknown): ActivityEntry[] {
  if (!isObject(value)) return [];
  const { id, at, who, method, route, path, node, is_certain } = value;
  if (typeof id !== 'number' || typeof at !== 'string' || typeof path !== 'string') return [];
  const words = { who: textOr(who, null), method: textOr(method, ''), route: textOr(route, path) };
  const entry = { id, at, ...words, path, node: toNode(node) };
  return [is_certain === false ? { ...entry, is_certain } : entry];
}

export function readActivity(body: unknown): Read<ActivityPage> {
  if (!isObject(body) || !Array.isArray(body['entries'])) return failRead('the answer has no entries');
  return {
    ok: true,
    value: { entries: arrayOr(body['entries']).flatMap(toEntry), next: numberOr(body['next'], null) },
  };
}
