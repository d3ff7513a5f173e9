// Every fault of every typed tool with its place, also those that don't keep the tools from being sent. Imports the
// contract's schemas, so only lazily loaded files may import this one.
import { toolSchema } from '#core/contract/chatMessage.ts';
import { toIssue, toParam } from '#core/contract/issues.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import type { JsonPath } from '#core/contract/jsonPlaces.ts';
import type { JsonFault } from './keywordFaults.ts';
import { findSchemaFaults } from './schemaFaults.ts';
import { findTextFaults, type TextFault } from './textFaults.ts';

const fault = (path: JsonPath, message: string, isWarning = false): JsonFault => ({ path, message, isWarning });

const isPart = (part: PropertyKey): part is string | number => typeof part !== 'symbol';

function findContractFaults(tool: unknown, index: number): readonly JsonFault[] {
  const parsed = toolSchema.safeParse(tool, { reportInput: true });
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => {
    const path = [index, ...issue.path];
    return fault(path.filter(isPart), toIssue([{ ...issue, path }]).message);
  });
}

const TOOL_FIELDS = ['type', 'function'];
const FUNCTION_FIELDS = ['name', 'description', 'parameters', 'strict'];

function findUnknownFields(value: unknown, known: readonly string[], at: JsonPath): readonly JsonFault[] {
  if (!isObject(value)) return [];
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  return unknown.map((name) =>
    fault(
      [...at, name],
      `${toParam([...at, name]) ?? name} is not a field of OpenAI's tools. Services may refuse or ignore it.`,
      true,
    ),
  );
}

function findParameterFaults({ parameters, strict }: JsonObject, at: JsonPath): readonly JsonFault[] {
  // `findContractFaults` reports anything but an object.
  if (!isObject(parameters)) return [];
  const isObjectSchema = parameters['type'] === 'object' || Object.keys(parameters).length === 0;
  const typeFaults = isObjectSchema
    ? []
    : [fault([...at, 'type'], `${toParam(at) ?? ''} must have "type": "object": arguments are passed by name.`)];
  return [...typeFaults, ...findSchemaFaults(parameters, at, strict === true)];
}

function findOneToolFaults(tool: unknown, index: number): readonly JsonFault[] {
  const definition = isObject(tool) ? tool['function'] : undefined;
  const at = [index, 'function'];
  const parameters = isObject(definition) ? findParameterFaults(definition, [...at, 'parameters']) : [];
  return [
    ...findContractFaults(tool, index),
    ...findUnknownFields(tool, TOOL_FIELDS, [index]),
    ...findUnknownFields(definition, FUNCTION_FIELDS, at),
    ...parameters,
  ];
}

const nameOf = (tool: unknown): unknown =>
  isObject(tool) && isObject(tool['function']) ? tool['function']['name'] : undefined;

function findNameFaults(tools: readonly unknown[]): readonly JsonFault[] {
  const names = tools.map(nameOf);
  return names.flatMap((name, index) => {
    const isDuplicate = typeof name === 'string' && names.indexOf(name) < index;
    return isDuplicate
      ? [
          fault(
            [index, 'function', 'name'],
            `The name “${name}” is taken by an earlier tool. Give each tool a name of its own.`,
          ),
        ]
      : [];
  });
}

function findToolListFaults(value: unknown): readonly JsonFault[] {
  if (!Array.isArray(value)) return [fault([], 'The tools must be a list, [ … ].')];
  const tools: readonly unknown[] = value;
  const tooMany =
    tools.length > REQUEST_LIMITS.tools
      ? [
          fault(
            [REQUEST_LIMITS.tools],
            `There can be ${REQUEST_LIMITS.tools} tools at most; these are ${tools.length}.`,
          ),
        ]
      : [];
  return [...tooMany, ...tools.flatMap(findOneToolFaults), ...findNameFaults(tools)];
}

export const findToolFaults = (text: string): readonly TextFault[] => findTextFaults(text, findToolListFaults);
