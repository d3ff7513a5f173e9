// What the two baseline pages of the tree benchmark have in common: the answer as it is on the wire, and its texts.
// They read nothing defensively and keep nothing over a poll: what is measured beside them does.

export interface PlainNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly label?: string;
  readonly status?: string;
  readonly children?: readonly PlainNode[];
}

export async function askTree(): Promise<PlainNode> {
  const response = await fetch(`/api/v1/public/projects/${new URLSearchParams(location.search).get('project') ?? ''}`);
  const body = JSON.parse(await response.text()) as { project: PlainNode };
  return body.project;
}

export const labelOf = (node: PlainNode): string => node.label ?? node.name ?? node.id;

export const isFound = (node: PlainNode, text: string): boolean =>
  `${labelOf(node)}\n${node.id}`.toLowerCase().includes(text);
