/** fast-check with the seed of the run, so that `npm test -- FILE --seed N` repeats what a random test has found. */
import fc from 'fast-check';

const { TEST_SEED } = process.env;
if (TEST_SEED) fc.configureGlobal({ seed: Number(TEST_SEED) });

export default fc;
