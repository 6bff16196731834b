/** The reporter of the scripts in package.json: as `spec`, and then which tests failed. */
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';
import listFailed from './failed-tests.ts';

export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seen: TestEvent[] = [];
  const observed = Readable.from(
    (async function* () {
      for await (const event of events) {
        if (['test:fail', 'test:diagnostic'].includes(event.type)) seen.push(event);
        yield event;
      }
    })(),
  );
  yield* observed.pipe(new spec());
  yield* listFailed(seen);
}
