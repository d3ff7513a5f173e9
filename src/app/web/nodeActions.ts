// What the menu of a tree row offers: from a node to the prompt, to the comparison, to the clipboard.
import {
  Braces,
  ChevronsDownUp,
  ChevronsUpDown,
  Columns2,
  Copy,
  GitCompareArrows,
  Link2,
  Play,
  type LucideIcon,
} from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toStatusMeaning } from '#core/contract/statuses.ts';
import {
  NOT_SERVED,
  toExperimentFacts,
  toModels,
  type JobFactsOf,
} from '#features/experiments/web/rows/experimentFacts.ts';
import { toFitting, toWith } from '#features/experiments/web/compareState/compareSet.ts';
import { nodePatch } from '#ui/address/nodeTab.ts';
import { toRunRef } from '#ui/address/runRefs.ts';
import { linkTo, MAX_COMPARED, MAX_MODELS, readUrl, updateUrl } from '#ui/address/urlState.ts';
import type { BranchControl, RowAction } from '#features/projects/web/rowAction.ts';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { formatCount } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toNodeJson } from './nodeSummary.ts';
import { chatWith, openInPlayground } from '#app/web/layout/layoutStore.ts';

async function copy(what: string, text: string): Promise<void> {
  if (await writeClipboard(text)) showToast(`Copied the ${what}.`);
  else
    showToast('The browser did not allow copying. Open the Detail tab and select the text there.', { tone: 'error' });
}

function toCopyAction(label: string, Icon: LucideIcon, what: string, text: () => string, isApart = false): RowAction {
  return { label, Icon, onSelect: () => void copy(what, text()), disabledReason: null, isApart };
}

function toExperimentActions(node: TreeNode, jobFactsOf: JobFactsOf, isFolder: boolean): readonly RowAction[] {
  const { model, triedBase, problem, baseProblem } = toExperimentFacts(node, jobFactsOf(node));
  const open: RowAction = {
    label: 'Open in playground',
    Icon: Play,
    onSelect: () => model !== null && openInPlayground([model]),
    disabledReason: problem,
  };
  const chat: RowAction = {
    label: `Chat with this run${problem === null ? '' : '…'}`,
    Icon: Play,
    onSelect: () => chatWith(node),
    disabledReason: null,
  };
  return [
    isFolder ? chat : open,
    {
      label: 'Compare with base model',
      Icon: Columns2,
      onSelect: () => model !== null && triedBase !== null && openInPlayground([model, triedBase]),
      disabledReason: isFolder && problem !== null ? NOT_SERVED : baseProblem,
    },
  ];
}

function toBeneathAction(experiments: readonly TreeNode[], jobFactsOf: JobFactsOf): RowAction {
  const models = toModels(experiments, jobFactsOf);
  const count = models.length === MAX_MODELS ? `up to ${MAX_MODELS} ` : `${models.length} `;
  return {
    label:
      models.length === 1
        ? 'Open the fine-tuned model below'
        : `Compare ${models.length === 0 ? '' : count}fine-tuned models below`,
    Icon: Columns2,
    onSelect: () => openInPlayground(models),
    disabledReason: models.length === 0 ? 'No run below it has a model to try yet.' : null,
  };
}

/** Adds to what is compared already; each run once. */
function toCompareAction(node: TreeNode, experiments: readonly TreeNode[]): RowAction {
  const comparable = experiments.filter(({ status }) => toStatusMeaning(status) !== 'gone');
  const offered = comparable.slice(0, MAX_COMPARED);
  const refs = offered.map(({ id }) => toRunRef({ kind: 'experiment', experiment_id: id }));
  const isOne = node.type === 'experiment';
  const count =
    comparable.length > offered.length ? `first ${formatCount(offered.length)}` : formatCount(offered.length);
  return {
    label:
      isOne || refs.length === 1 ? 'Add run to compare' : `Add ${refs.length === 0 ? '' : `${count} `}runs to compare`,
    Icon: GitCompareArrows,
    onSelect: () => {
      const { refs: fitting, left } = toFitting(readUrl().compare, refs);
      updateUrl({ ...toWith(readUrl(), fitting), tab: 'compare', node: node.id });
      if (left > 0)
        showToast(`${formatCount(left)} more were not added: a link holds at most ${formatCount(MAX_COMPARED)}.`);
    },
    disabledReason: refs.length === 0 ? (isOne ? 'The run was deleted.' : 'There is no run below it.') : null,
  };
}

const NOT_TOLD: JobFactsOf = () => null;

/** `experiments`: those in the node's subtree, itself included. `isFolder`: the project is a folder of runs. */
export function toNodeActions(
  node: TreeNode,
  experiments: readonly TreeNode[],
  jobFactsOf: JobFactsOf = NOT_TOLD,
  isFolder = false,
): readonly RowAction[] {
  const own =
    node.type === 'experiment'
      ? toExperimentActions(node, jobFactsOf, isFolder)
      : [toBeneathAction(experiments, jobFactsOf)];
  return [
    ...own,
    toCompareAction(node, experiments),
    toCopyAction('Copy id', Copy, 'id', () => node.id, true),
    toCopyAction('Copy JSON', Braces, 'JSON', () => toNodeJson(node)),
    toCopyAction('Copy link', Link2, 'link', () => new URL(linkTo(nodePatch(node)), window.location.href).href),
  ];
}

/** Nothing for a node without children. */
export function toBranchActions(branch: BranchControl | null): readonly RowAction[] {
  if (!branch) return [];
  return [
    {
      label: 'Expand all below',
      Icon: ChevronsUpDown,
      onSelect: branch.onExpand,
      disabledReason: null,
      isApart: true,
    },
    {
      label: 'Collapse',
      Icon: ChevronsDownUp,
      onSelect: branch.onCollapse,
      disabledReason: branch.isOpen ? null : 'It is already collapsed.',
    },
  ];
}
