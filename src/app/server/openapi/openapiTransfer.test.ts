import { describe, expect, it } from 'vitest';
import { toOpenApi } from './openapi.ts';
import { toTransferPaths } from './openapiTransfer.ts';
import { TRANSFER_ROUTES, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

const paths = toTransferPaths() as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const exported = paths[TRANSFER_ROUTES.exportProject]?.['get'];
const imported = paths[TRANSFER_ROUTES.importProject]?.['post'];
const previewed = paths[TRANSFER_ROUTES.previewImport]?.['post'];

it('has all paths, in the document', () => {
  expect(Object.keys(paths).toSorted()).toEqual(Object.values<string>(TRANSFER_ROUTES).toSorted());
  expect(toOpenApi('1.2.3')).toMatchObject({ paths });
});

describe('an export', () => {
  it('is read, so that tokens may do it that may only read', () => {
    expect(Object.keys(paths[TRANSFER_ROUTES.exportProject] ?? {})).toEqual(['get']);
  });

  it('names the project in its path, and whether models come along', () => {
    expect(exported?.parameters?.map((each) => [each.name, each.in, each.required])).toEqual([
      ['projectId', 'path', true],
      ['models', 'query', false],
    ]);
  });

  it('answers with bytes, of a version that is told', () => {
    expect(exported?.responses['200']).toMatchObject({
      content: { 'application/gzip': { schema: { format: 'binary' } } },
    });
    expect(exported?.description).toContain(`version ${TRANSFER_VERSION}`);
  });

  it.each(['400', '401', '404', '503'])('can answer %s, in the envelope of errors', (status) => {
    expect(exported?.responses[status]).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    });
  });
});

describe('an import', () => {
  it('is a change, so that tokens may not do it that may only read', () => {
    expect(Object.keys(paths[TRANSFER_ROUTES.importProject] ?? {})).toEqual(['post']);
  });

  it('takes a form, and answers with the project', () => {
    expect(imported?.requestBody).toMatchObject({
      required: true,
      content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/ImportForm' } } },
    });
    expect(imported?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ProjectImported' } } },
    });
  });

  it('says what to do with a project that is here, and with models of strangers', () => {
    expect(imported?.description).toMatch(/project_exists.*ids=new/);
    expect(imported?.description).toMatch(/models=include.*trust/);
  });

  it.each(['400', '401', '409', '413', '415', '429', '503'])('can answer %s', (status) => {
    expect(imported?.responses).toHaveProperty(status);
  });

  it('can be previewed with the same form, without a change', () => {
    expect(previewed?.requestBody).toEqual(imported?.requestBody);
    expect(Object.keys(previewed?.responses ?? {})).toEqual(Object.keys(imported?.responses ?? {}));
    expect(previewed?.description).toMatch(/Nothing is stored.*seed/);
    expect(previewed?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ImportPreview' } } },
    });
  });
});

it('describes the fields of the form in the document', () => {
  const { components } = toOpenApi('1.2.3') as {
    components: { schemas: Record<string, { properties: Record<string, { enum?: string[]; description?: string }> }> };
  };
  const { properties } = components.schemas['ImportForm'] ?? { properties: {} };
  expect(Object.keys(properties)).toEqual(['ids', 'models', 'seed', 'file']);
  expect([properties['ids']?.enum, properties['models']?.enum]).toEqual([
    ['keep', 'new'],
    ['include', 'leave'],
  ]);
  expect(properties['ids']?.description).toContain('Before the file');
});
