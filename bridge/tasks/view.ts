import type { TaskStore } from './store.ts';
import type { TaskView } from './tools.ts';

/** The tasks that one line may see: all of the bridge, or those of the one server that the line shows. */
export function viewOf(store: TaskStore, only: string | undefined): TaskView {
  if (only === undefined) return store;
  return {
    find: (reference) => store.find(reference, only),
    list: () => store.list().filter(({ owner }) => owner === only),
    wait: (task, ms, signal) => store.wait(task, ms, signal),
    cancel: (task, reason) => store.cancel(task, reason),
    consume: (task) => store.consume(task),
  };
}
