/**
 * Waiting tasks, shared fairly between their sources. A source is a path of networks, widest first, as `['192.0.2/24',
 * '192.0.2.1']`: turns and places are shared between the widest networks, then between those in each of them, and so on.
 * An attacker with many ips of one network has the turns and places of one.
 */
export interface WaitingTasks<Task> {
  add(source: Source, task: Task): void;
  /** Removes and returns the task whose turn it is: networks take turns, and within one its oldest task is the next. */
  next(): Task | undefined;
  /**
   * Removes and returns the newest task of the most crowded network to make room for a task of `source`. Undefined if
   * `source` would then be as crowded itself.
   */
  displace(source: Source): Task | undefined;
  readonly size: number;
  /** Returns the number of waiting tasks of the widest network of `source`, plus the number of other such networks. */
  crowdFor(source: Source): number;
}

export type Source = readonly string[];

interface Network<Task> {
  /** Number of tasks, those of `networks` included. */
  size: number;
  /** In the order of their turns; none is empty. */
  readonly networks: Map<string, Network<Task>>;
  /** Tasks of a source that ends here, oldest first. */
  readonly tasks: Task[];
}

export function createWaitingTasks<Task>(): WaitingTasks<Task> {
  const all = emptyNetwork<Task>();
  return {
    add: (source, task) => addTo(all, source, task),
    next: () => (all.size > 0 ? takeTurn(all) : undefined),
    displace: (source) => displaceIn(all, source),
    get size() {
      return all.size;
    },
    crowdFor: ([widest = '']) => {
      const own = all.networks.get(widest);
      return all.networks.size + (own ? own.size - 1 : 0);
    },
  };
}

function emptyNetwork<Task>(): Network<Task> {
  return { size: 0, networks: new Map(), tasks: [] };
}

function addTo<Task>(network: Network<Task>, [name, ...rest]: Source, task: Task): void {
  network.size += 1;
  if (name === undefined) {
    network.tasks.push(task);
    return;
  }
  const inner = network.networks.get(name) ?? emptyNetwork<Task>();
  network.networks.set(name, inner);
  addTo(inner, rest, task);
}

function takeTurn<Task>(network: Network<Task>): Task | undefined {
  network.size -= 1;
  const [first] = network.networks;
  if (!first) return network.tasks.shift();
  const [name, inner] = first;
  const task = takeTurn(inner);
  network.networks.delete(name);
  if (inner.size > 0) network.networks.set(name, inner);
  return task;
}

function displaceIn<Task>(network: Network<Task>, [name, ...rest]: Source): Task | undefined {
  if (name === undefined) return undefined;
  const own = network.networks.get(name);
  const [, crowded] = mostCrowded(network) ?? [];
  if (crowded && crowded.size > (own?.size ?? 0) + 1) return takeNewest(network);
  const task = own && displaceIn(own, rest);
  if (task !== undefined) network.size -= 1;
  return task;
}

/** Takes the newest task of the most crowded source. */
function takeNewest<Task>(network: Network<Task>): Task | undefined {
  network.size -= 1;
  const crowded = mostCrowded(network);
  if (!crowded) return network.tasks.pop();
  const [name, inner] = crowded;
  const task = takeNewest(inner);
  if (inner.size === 0) network.networks.delete(name);
  return task;
}

/** Of equally crowded ones the last in turn. */
function mostCrowded<Task>({ networks }: Network<Task>): [string, Network<Task>] | undefined {
  let most: [string, Network<Task>] | undefined;
  for (const one of networks) {
    if (!most || one[1].size >= most[1].size) most = one;
  }
  return most;
}
