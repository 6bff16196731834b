/** Progress of fewer is not reported. */
const MANY = 1000;

/**
 * Reports the progress of a large catalogue's build: a line for each 5 %.
 * @returns to be called after each page or picture
 */
export function reportProgress(total: number, what = 'pages'): () => void {
  const step = Math.ceil(total / 20);
  let made = 0;
  return () => {
    made += 1;
    if (total >= MANY && made % step === 0) console.log(`  ${shown(made)} of ${shown(total)} ${what}`);
  };
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
