import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { withDatabase } from './call-owner-tool.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'running-'));
beforeEach(() => chmodSync(dataDir, 0o700));
after(() => {
  chmodSync(dataDir, 0o700);
  rmSync(dataDir, { recursive: true });
});

test('a tool that finds no database says to start the product once', async () => {
  await assert.rejects(
    withDatabase(dataDir, async () => assert.fail()),
    /^SettingError: There is no database in \S+ yet\./,
  );
});

test('a tool that may not look says who may', async () => {
  mkdirSync(join(dataDir, 'database'));
  chmodSync(dataDir, 0o000);
  // Nothing is closed to root, so that it asks as somebody else.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await assert.rejects(
      withDatabase(dataDir, async () => assert.fail()),
      /^SettingError: The data folder \S+ may not be read by this user\. Run this as the one who started the product\.$/,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
