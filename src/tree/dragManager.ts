// react-arborist wants a drag-and-drop manager. Made here once for the life of the page, as each mount of a tree
// would else make its own.
import { createDragDropManager } from 'dnd-core';
import { HTML5Backend } from './noDrag';

export const dragManager = createDragDropManager(HTML5Backend);
