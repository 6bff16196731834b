/** Fewer pages are there before anybody could ask. */
const MANY = 1000;

/**
 * Tells how far a large catalogue's build is, a line each twentieth.
 * @returns to be called after each page
 */
export function countPages(total: number): () => void {
  const step = Math.ceil(total / 20);
  let made = 0;
  return () => {
    made += 1;
    if (total >= MANY && made % step === 0) console.log(`  ${shown(made)} of ${shown(total)} pages`);
  };
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
