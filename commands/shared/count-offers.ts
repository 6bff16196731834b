/** `1 offer`, `1,500 offers`. */
export function countOffers(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'offer' : 'offers'}`;
}
