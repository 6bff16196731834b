/** A mistake the owner can mend: its message is one sentence that says how, and is shown without a stack. */
export class SettingError extends Error {
  override name = 'SettingError';
}
