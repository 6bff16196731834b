import fc from 'fast-check';

/** So many inputs at once, as visitors come. */
const AT_ONCE = 20;

/** fast-check over batches: a failing one is made smaller, and its seed printed, as for single inputs. */
export async function inBatches<Input>(
  arbitrary: fc.Arbitrary<Input>,
  settings: { numRuns: number; seed?: number },
  tryOne: (input: Input) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const batch = fc.array(arbitrary, { minLength: atOnce, maxLength: atOnce });
  await fc.assert(
    fc.asyncProperty(batch, async (inputs) => {
      await Promise.all(inputs.map(tryOne));
    }),
    settings,
  );
}
