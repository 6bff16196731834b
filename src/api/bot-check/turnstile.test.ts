import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { turnstile } from './turnstile.ts';

type Callback = (text?: string) => unknown;
interface Script {
  src: string;
  onload: () => void;
  onerror: () => void;
  remove: () => void;
}

const host = {} as HTMLElement;
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
const WIDGET = 'widget-1';
let scripts: Script[] = [];
let reports: string[] = [];
let calls: string[] = [];
let options: Record<string, Callback> = {};
const report = {
  ready: (token: string) => reports.push(`ready ${token}`),
  expired: () => reports.push('expired'),
  failed: () => reports.push('failed'),
  unsupported: () => reports.push('unsupported'),
};
const api = {
  render(_host: HTMLElement, given: Record<string, Callback>) {
    options = given;
    calls.push('render');
    return WIDGET;
  },
  reset: (widget: string) => calls.push(`reset ${widget}`),
  remove: (widget: string) => calls.push(`remove ${widget}`),
};

test('Turnstile', async (step) => {
  step.beforeEach(() => {
    scripts = [];
    reports = [];
    calls = [];
    const script = () => ({ remove: () => calls.push('remove script') });
    const head = { append: (one: Script) => scripts.push(one) };
    Object.assign(globalThis, {
      window: globalThis,
      document: { hidden: false, createElement: script, head },
    });
  });

  step.afterEach(() => mock.reset());

  // First: a page loads the script once, for the steps after this one, too.
  await step.test(
    'a script that does not load, or is not Turnstile, is loaded again, quietly twice and then with a failure',
    async (t) => {
      mock.timers.enable({ apis: ['setTimeout', 'Date'] });
      const running = turnstile('key').start(host, report);
      // Otherwise a failure would leave it repeating itself.
      t.after(() => running.stop());
      for (const [event, shown] of [
        ['onerror', []],
        ['onload', []],
        ['onerror', ['failed']],
      ] as const) {
        const script = scripts.at(-1);
        script?.[event]();
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        assert.deepEqual(reports, shown);
        mock.timers.tick(5_000);
        await new Promise(setImmediate);
        assert.notEqual(scripts.at(-1), script, `another script after ${event}`);
      }
      assert.equal(calls.filter((call) => call === 'remove script').length, 3);
      assert.ok(scripts.every(({ src }) => src === SCRIPT));
      Object.assign(globalThis, { turnstile: api });
      scripts.at(-1)?.onload();
      await new Promise(setImmediate);
      assert.deepEqual(calls.slice(3), ['render']);
      running.renew();
      running.stop();
      assert.deepEqual(calls.slice(4), [`reset ${WIDGET}`, `remove ${WIDGET}`]);
    },
  );

  await step.test(
    'the widget is invisible, has the form’s action, and each of its callbacks reports',
    async (t) => {
      const running = turnstile('key').start(host, report);
      t.after(() => running.stop());
      await new Promise(setImmediate);
      const { sitekey, action, appearance } = options;
      assert.deepEqual(
        { sitekey, action, appearance },
        { sitekey: 'key', action: 'order-submit', appearance: 'interaction-only' },
      );
      options.callback?.('token');
      options['expired-callback']?.();
      options['timeout-callback']?.();
      // Handled: Turnstile logs nothing.
      assert.equal(options['error-callback']?.('300030'), true);
      options['unsupported-callback']?.();
      assert.deepEqual(reports, ['ready token', 'expired', 'expired', 'failed', 'unsupported']);
    },
  );

  await step.test(
    'a widget with an error is reset after a pause that grows until a token comes',
    async (t) => {
      mock.timers.enable({ apis: ['setTimeout', 'Date'] });
      const retries: number[] = [];
      const running = turnstile('key').start(host, {
        ...report,
        failed: (at) => retries.push(at - Date.now()),
      });
      t.after(() => running.stop());
      await new Promise(setImmediate);
      assert.equal(options.retry, 'never');
      calls = [];
      const pass = (ms: number) => {
        mock.timers.tick(ms);
        return calls.splice(0).length;
      };
      for (const pauseMs of [5_000, 10_000, 20_000]) {
        options['error-callback']?.('300030');
        assert.equal(pass(pauseMs - 1), 0);
        assert.equal(pass(1), 1);
      }
      options.callback?.('token');
      options['error-callback']?.('300030');
      assert.deepEqual(retries, [5_000, 10_000, 20_000, 5_000]);
      // Renewed meanwhile.
      running.renew();
      assert.equal(pass(60_000), 1);
      options['error-callback']?.('300030');
      options.callback?.('token');
      assert.equal(pass(60_000), 0, 'a token ends the pause');
      options['error-callback']?.('300030');
      running.stop();
      assert.deepEqual(calls.splice(0), [`remove ${WIDGET}`]);
      assert.equal(pass(60_000), 0, 'so does the end');
    },
  );

  await step.test('a check that ended while its script was loading renders no widget', async () => {
    turnstile('key').start(host, report).stop();
    await new Promise(setImmediate);
    assert.deepEqual(calls, []);
  });

  await step.test('a widget that does not start is a failed attempt', async (t) => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const render = mock.method(api, 'render', () => undefined);
    const running = turnstile('key').start(host, report);
    t.after(() => running.stop());
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await new Promise(setImmediate);
      assert.equal(render.mock.callCount(), attempt);
      mock.timers.tick(2_000);
    }
    assert.deepEqual(reports, ['failed']);
  });
});
