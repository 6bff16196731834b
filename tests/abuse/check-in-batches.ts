import fc from 'fast-check';

const CONCURRENCY = 20;

/** Runs fast-check over batches of concurrent inputs. A failing batch is shrunk and its seed printed. */
export async function checkInBatches<Input>(
  arbitrary: fc.Arbitrary<Input>,
  settings: { numRuns: number; seed?: number },
  tryOne: (input: Input) => Promise<void>,
  concurrency = CONCURRENCY,
): Promise<void> {
  const batch = fc.array(arbitrary, { minLength: concurrency, maxLength: concurrency });
  await fc.assert(
    fc.asyncProperty(batch, async (inputs) => {
      await Promise.all(inputs.map(tryOne));
    }),
    settings,
  );
}
