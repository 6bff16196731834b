/** Error that the owner can correct: its message says how, and is shown without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}
