/** Mistake of the owner, or a state that the owner can mend: its message says how, and is shown without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}
