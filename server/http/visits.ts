/**
 * Counts the visits of names and the bot checks that are asked for, by day in UTC. A visit is a navigation of a browser to a name's
 * page. Nothing of a request is stored; in memory are user agents, apart from what is counted. Counts are in memory until they are
 * written once a minute, so that a kill loses those of a minute at most.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Arguments } from '#contract/calls.ts';

const INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longest time of a stop, in milliseconds: with a backend that hangs the whole stop is to end within the 10 seconds of Docker. */
const STOP_TIMEOUT_MS = 3_000;
/** Names of one call. Offers wait for it: for 100 ms on a busy machine, where 10,000 took 3 s. */
const MOST_IN_CALL = 500;
/** Reading a user agent takes up to 30 µs, half of what a page takes. */
const MOST_READ_A_SECOND = 100;
/** Browsers' are shorter. One of 16 KB takes 1 ms. */
const LONGEST_USER_AGENT = 1_000;
const MOST_EARLY = 1_000;
/** In memory. */
const MOST_USER_AGENTS = 1_000;

type Batch = Arguments<'add_numbers'>;

export interface VisitsOptions {
  /** Adds a batch to the numbers. @throws where it may not be stored */
  add(batch: Batch): Promise<unknown>;
  /** Called with the first error of a row of them. */
  onFailure(error: unknown): void;
  /** COUNT_VISITS: no counts nothing, and reports that. */
  readonly isOn: boolean;
  readonly now?: () => number;
}

export type Visits = ReturnType<typeof createVisits>;

export function createVisits({ add, onFailure, isOn, now = Date.now }: VisitsOptions) {
  let days = new Map<number, Map<string, { visits: number; begun: number }>>();
  let unwritten: Batch[] = [];
  let isReported = false;
  let isFailing = false;
  let writing: Promise<void> | undefined;
  let isBrowser: ((userAgent: string) => boolean) | undefined;
  /** Visits before it is known what a robot is. */
  const early: [name: string, userAgent: string][] = [];
  const timer = setInterval(() => write(), INTERVAL_MS).unref();

  function count(name: string, what: 'visits' | 'begun'): void {
    const day = Math.floor(now() / DAY_MS);
    const names = days.get(day) ?? new Map<string, { visits: number; begun: number }>();
    days.set(day, names);
    const counted = names.get(name) ?? { visits: 0, begun: 0 };
    counted[what] += 1;
    names.set(name, counted);
  }

  /** What was counted; before the first report at least one batch. */
  function take(): Batch[] {
    const counted = days;
    days = new Map();
    const counts = [...counted].flatMap(([day, names]) => {
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return [...names].map(([name, { visits, begun }]) => ({
        name,
        day: date,
        ...(visits > 0 && { visits }),
        ...(begun > 0 && { begun }),
      }));
    });
    const batches: Batch[] = [];
    while (counts.length > 0 || (batches.length === 0 && !isReported))
      batches.push({ batch: randomUUID(), counts: counts.splice(0, MOST_IN_CALL) });
    return batches;
  }

  /** Adds what was counted, or what the last calls may not have stored. Calls at the same time share one run. Never throws. */
  function write(): Promise<void> {
    writing ??= writeNow()
      .then(
        () => {
          isFailing = false;
        },
        (error) => {
          if (!isFailing) onFailure(error);
          isFailing = true;
        },
      )
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  async function writeNow(): Promise<void> {
    if (unwritten.length === 0) unwritten = take();
    for (const batch of [...unwritten]) {
      await add(isReported ? batch : { ...batch, is_on: isOn });
      isReported = true;
      unwritten.shift();
    }
  }

  return {
    /** A request whose response is the page of a name, or that it has not changed. */
    page(request: IncomingMessage, name: string): void {
      if (!isOn || !isNavigation(request)) return;
      const userAgent = request.headers['user-agent'] ?? '';
      if (!isBrowser) early.length < MOST_EARLY && early.push([name, userAgent]);
      else if (isBrowser(userAgent)) count(name, 'visits');
    },
    /** Tells robots from browsers: of isbot, which a start loads once it serves pages. */
    readBy(isRobot: (userAgent: string) => boolean): void {
      isBrowser = browserReader(isRobot, now);
      for (const [name, userAgent] of early.splice(0)) if (isBrowser(userAgent)) count(name, 'visits');
    },
    /** A bot check that was asked for. */
    botCheck(name: string): void {
      if (isOn) count(name, 'begun');
    },
    write,
    /** Adds the rest, as far as there is time. */
    async stop(): Promise<void> {
      clearInterval(timer);
      const late = Promise.withResolvers<void>();
      const end = setTimeout(late.resolve, STOP_TIMEOUT_MS);
      // One that runs, or that failed before, has not what came since.
      const rest = write().then(() => (isFailing ? undefined : write()));
      await Promise.race([rest, late.promise]);
      clearTimeout(end);
    },
  };
}

/** Browsers send `Sec-Fetch-Dest` over https and to localhost alone. */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-dest'] === 'document' &&
    !String(headers['sec-purpose'] ?? '').includes('prefetch')
  );
}

/** Whether a user agent is that of a browser. In a flood of made-up ones those beyond the limit count as robots. */
function browserReader(
  isRobot: (userAgent: string) => boolean,
  now: () => number,
): (userAgent: string) => boolean {
  const read = new Map<string, boolean>();
  let second = 0;
  let readInSecond = 0;
  return (userAgent) => {
    if (userAgent.length > LONGEST_USER_AGENT) return false;
    const known = read.get(userAgent);
    if (known !== undefined) return known;
    const present = Math.floor(now() / 1_000);
    if (present !== second) [second, readInSecond] = [present, 0];
    readInSecond += 1;
    if (readInSecond > MOST_READ_A_SECOND) return false;
    if (read.size === MOST_USER_AGENTS) read.clear();
    const is = userAgent !== '' && !isRobot(userAgent);
    read.set(userAgent, is);
    return is;
  };
}
