/** What no script of the pages holds. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTING_NAMES, SETTINGS } from '#contract/settings.ts';
import { runTool } from '../support/terminal.ts';

const SCRIPTS = 'dist/client/_astro';

test('no script holds the schema of the settings', () => {
  assert.equal(runTool('node/commands/build-if-needed.ts', [], {}).code, 0);
  const scripts = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 0);
  for (const script of scripts) {
    const text = readFileSync(join(SCRIPTS, script), 'utf8');
    const held = SETTING_NAMES.filter((name) => text.includes(SETTINGS[name].about));
    assert.deepEqual(held, [], script);
  }
});
