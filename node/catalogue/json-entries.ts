import { applyToData, type Changes } from './changes.ts';

/** Whether a catalogue is written in JSON, which has no comments to keep. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Edits a catalogue in JSON; the indentation stays as it is. */
export function editJson(text: string, changes: Changes): string {
  const [, indentation = ''] = /^\s*\{\r?\n([ \t]+)/.exec(text) ?? [];
  const edited = JSON.stringify(applyToData(JSON.parse(text), changes), null, indentation);
  return text.endsWith('\n') ? `${edited}\n` : edited;
}
