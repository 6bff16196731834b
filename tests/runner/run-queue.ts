/** Runs tasks, some at a time, in the order given. */

export interface QueuedTask {
  readonly name: string;
  /** Names of tasks that end before it starts. */
  readonly after?: readonly string[];
}

/**
 * A task that has to wait lets the next one go first. One whose prerequisite failed runs all the same: its own output says
 * what it lacks.
 * @param run resolves when the task has ended, and rejects only where nothing more is to be started
 * @param lanes number of tasks that run at the same time
 */
export async function runQueue<Task extends QueuedTask>(
  tasks: readonly Task[],
  run: (task: Task) => Promise<void>,
  lanes: number,
): Promise<void> {
  const waiting = [...tasks];
  const unfinished = new Set(tasks.map(({ name }) => name));
  const running = new Set<Promise<void>>();
  const isReady = ({ after = [] }: Task) => after.every((name) => !unfinished.has(name));
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? waiting.findIndex(isReady) : -1;
    const [task] = next < 0 ? [] : waiting.splice(next, 1);
    if (task === undefined) {
      if (running.size === 0)
        throw new Error(`These wait for each other: ${waiting.map(({ name }) => name)}`);
      await Promise.race(running);
      continue;
    }
    const ended = run(task).finally(() => {
      unfinished.delete(task.name);
      running.delete(ended);
    });
    running.add(ended);
  }
}
