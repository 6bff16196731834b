/** The token of a buyer's link, in tests in which the page's calls are stubbed. */
export const TOKEN = '0123456789abcdef'.repeat(2);
