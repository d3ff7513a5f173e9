import { CircleDot, Database, FlaskConical, FolderTree, Layers, TrendingUp, type LucideIcon } from 'lucide-react';
import type { NodeType } from '#core/contract/projectReader.ts';

const ICONS: Record<NodeType, LucideIcon> = {
  project: FolderTree,
  dataset: Database,
  snapshot: Layers,
  'finetuning-job': TrendingUp,
  experiment: FlaskConical,
};

const isNodeType = (type: string): type is NodeType => Object.hasOwn(ICONS, type);

interface NodeIconProps {
  type: string;
  size?: number;
}

export function NodeIcon({ type, size = 14 }: NodeIconProps) {
  const Icon = isNodeType(type) ? ICONS[type] : CircleDot;
  return <Icon aria-hidden size={size} strokeWidth={1.6} className="shrink-0 text-faint" />;
}
