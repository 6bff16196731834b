/** Search engines show about this number of characters of a description. */
const MAX_SUMMARY_LENGTH = 155;

/** The owner's description with a call to action after it, where both are shown. */
export function summaryOf(description: string, call: string): string {
  const both = `${description} ${call}`;
  return both.length <= MAX_SUMMARY_LENGTH ? both : description;
}
