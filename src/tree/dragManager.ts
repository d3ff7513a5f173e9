// react-arborist wants a drag-and-drop manager. Made here once for the life of the page: one made by each
// mount of a tree would fail the second time ("Cannot have two HTML5 backends at the same time").
import { createDragDropManager } from 'dnd-core';
import { HTML5Backend } from 'react-dnd-html5-backend';

export const dragManager = createDragDropManager(HTML5Backend);
