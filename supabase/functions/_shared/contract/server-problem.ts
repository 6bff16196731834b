/** A mail server or webhook that takes no message. */
export interface ServerProblemState {
  /** What does not work, and what to do. */
  readonly problem: string;
  /** Messages that wait for it. */
  readonly waiting: number;
}

/** The problem with the number of messages that wait, for the owner. */
export function describeProblem({ problem, waiting }: ServerProblemState): string {
  return `${problem} ${waiting === 1 ? '1 message waits' : `${waiting.toLocaleString('en')} messages wait`}.`;
}
