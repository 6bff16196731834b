/** A reporter of node:test: of a run that failed, the counts and the tests that failed; nothing of one that passed. */
import { relative } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

/** Lines of the counts at the end of a run: tests, suites, pass, fail, cancelled, skipped, todo, duration. */
const COUNTS = 8;

export default async function* listFailed(
  events: AsyncIterable<TestEvent> | Iterable<TestEvent>,
): AsyncGenerator<string> {
  const failed: string[] = [];
  const messages: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.nesting === 0) messages.push(`ℹ ${data.message}`);
    if (type === 'test:fail' && !isOfSubtests(data.details.error)) failed.push(lineOf(data));
  }
  if (failed.length > 0) {
    yield `\n${messages.slice(-COUNTS).join('\n')}\n\n✖ failed:\n${failed.join('\n')}\n`;
  }
}

/** Whether a suite failed because a test in it did, which is listed itself. */
function isOfSubtests(error: Error & { failureType?: string }): boolean {
  return error.failureType === 'subtestsFailed';
}

function lineOf({ name, file, line }: EventData.TestFail): string {
  return file === undefined ? `  ${name}` : `  ${relative('.', file)}:${line}  ${name}`;
}
