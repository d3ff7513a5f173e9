// Names of models and of their files in a project's file: what may be believed of them. Pure.

/** A file of the sample, which comes with the product: its bare name. */
export const isSampleFile = (name: string): boolean => /^[\w-][\w.-]*\.gguf$/.test(name);

const toShort = (experimentId: string): string => experimentId.replaceAll('-', '').slice(0, 8);

/** The id of a model whose run has got another id: `ft-base-<8 digits of the run>` names the run. */
export const toModelId = (id: string, from: string, to: string): string => id.replace(toShort(from), toShort(to));
