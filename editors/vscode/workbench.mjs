// Drives the packaged extension in VS Code itself, as code-server serves it to Chromium:
//   node workbench.mjs EXTENSION.vsix [FOLDER]
// with $CODE_SERVER, its out/node/entry.js, $PUPPETEER, the folder of puppeteer-core, and
// $GRADINE. The models are those of docs/tutorial.md. In FOLDER it leaves pictures.
import { execFileSync, spawn } from 'node:child_process';
import assert from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { CODE_SERVER: entry, PUPPETEER: library, GRADINE: program = 'gradine', CHROMIUM: browserPath = '/usr/bin/chromium' } = process.env;
const [extension, pictures] = process.argv.slice(2);
if (!entry || !library) {
  console.log('skipped: there is no $CODE_SERVER or no $PUPPETEER');
  process.exit(0);
}
const { default: puppeteer } = await import(pathToFileURL(join(library, 'lib/esm/puppeteer/puppeteer-core.js')).href);
const tutorial = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
const files = [...tutorial.matchAll(/<!-- file (\S+) -->\n```\w*\n([^]*?)```/g)].map(([, name, text]) => ({ name, text }));
const top = mkdtempSync(join(tmpdir(), 'gradine-'));
const root = join(top, 'water');

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function tutorialText(name, number = 0) {
  return files.filter((file) => file.name === name)[number].text;
}

const port = await new Promise((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => done(port));
  });
});
const places = ['--user-data-dir', join(top, 'data'), '--extensions-dir', join(top, 'extensions'), '--config', join(top, 'config.yaml')];
const environment = { ...process.env, XDG_CONFIG_HOME: join(top, 'config'), XDG_DATA_HOME: join(top, 'share'), GRADINE_CACHE: join(top, 'store') };
write(join(top, 'config.yaml'), '');
write(join(root, 'gradine.toml'), tutorialText('gradine.toml'));
write(join(root, 'models/tank.eventb'), tutorialText('models/tank.eventb'));
write(join(top, 'data/User/settings.json'), JSON.stringify({
  'gradine.path': resolve(program), 'workbench.startupEditor': 'none', 'security.workspace.trust.enabled': false, 'telemetry.telemetryLevel': 'off', 'workbench.colorTheme': 'Default Light Modern',
  'editor.minimap.enabled': false, 'workbench.tips.enabled': false, 'chat.commandCenter.enabled': false, 'window.commandCenter': false, 'editor.accessibilitySupport': 'off', 'editor.fontSize': 13,
}));
execFileSync(process.execPath, [entry, ...places, '--install-extension', resolve(extension)], { env: environment, stdio: 'ignore' });
const server = spawn(process.execPath, [entry, ...places, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'], { env: environment, stdio: 'ignore' });
let browser;
let page;
try {
  browser = await puppeteer.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu', '--lang=en'], defaultViewport: { width: 1200, height: 720 } });
  page = await browser.newPage();
  const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(root)}`;
  for (let i = 0; i < 60; i++) {
    const there = await fetch(address).then((answer) => answer.ok, () => false);
    if (there) break;
    await new Promise((done) => setTimeout(done, 500));
  }
  await page.goto(address);
  await page.waitForSelector('.monaco-workbench .explorer-folders-view', { timeout: 90_000 });

  // seen waits until something on the page reads as is wanted.
  const seen = async (what, selector, pattern) => {
    await page.waitForFunction((selector, pattern) => [...document.querySelectorAll(selector)].some((e) => new RegExp(pattern, 'u').test(e.textContent.replaceAll('\u00a0', ' '))), { timeout: 60_000 }, selector, pattern).catch(async () => {
      const texts = await page.$$eval(selector, (list) => list.map((e) => e.textContent));
      assert.fail(`${what}: ${pattern} is not in ${JSON.stringify(texts).slice(0, 2000)}`);
    });
  };
  // Files are opened in the tree: a search for them wants a program of its own.
  const open = async (name) => {
    await seen('the tree of files', '.explorer-folders-view .monaco-list-row', `^${name.replace('.', '\\.')}$`);
    for (const row of await page.$$('.explorer-folders-view .monaco-list-row')) {
      if ((await row.evaluate((e) => e.textContent)) === name) await row.click();
    }
  };
  const palette = async (text, pattern) => {
    for (let i = 0; i < 20 && !(await page.$('.quick-input-widget:not([style*="display: none"]) input')); i++) {
      await page.keyboard.press('F1');
      await new Promise((done) => setTimeout(done, 500));
    }
    await page.keyboard.down('Control');
    await page.keyboard.press('KeyA');
    await page.keyboard.up('Control');
    await page.keyboard.type(text, { delay: 15 });
    await seen('the palette', '.quick-input-list .monaco-list-row', pattern);
    await new Promise((done) => setTimeout(done, 400));
    await page.keyboard.press('Enter');
  };
  const draw = async (name) => {
    if (pictures) {
      await new Promise((done) => setTimeout(done, 700));
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    }
  };
  // frames hold what panels show: a page inside a page inside the workbench.
  const panel = async (pattern) => {
    for (let i = 0; i < 120; i++) {
      for (const frame of page.frames()) {
        const text = await frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
        if (frame !== page.mainFrame() && pattern.test(text)) return text;
      }
      await new Promise((done) => setTimeout(done, 250));
    }
    assert.fail(`no panel says ${pattern}`);
  };

  await open('models');
  await open('tank.eventb');
  await page.waitForSelector('.squiggly-error', { timeout: 60_000 });
  await seen('inlay hints', '.view-line', '\\d+/\\d+ · 1 refuted');
  await seen('lenses', '.codelens-decoration', 'why ');
  await seen('colours', '.view-line .mtk1, .view-line span', 'machine');
  await palette('>Gradine: Counterexamples', 'Gradine: Counterexamples');
  const shown = await panel(/before/);
  assert.match(shown, /after/);
  await draw('editor-vscode');
    // The guard that is missing, as a person types it: what is typed in ASCII is shown in
  // Unicode, and what was refuted is proved of the text as it is now, which is not saved.
  for (const line of await page.$$('.view-line')) {
    if (/@amount amount/u.test(await line.evaluate((e) => e.textContent.replaceAll('\u00a0', ' ')))) await line.click();
  }
  await page.keyboard.press('End');
  await page.keyboard.type('\n@room level + amount <= ', { delay: 40 });
  await seen('operators in Unicode', '.view-line', 'level \\+ amount ≤ ');
  await page.keyboard.type('capacity');
  await page.waitForFunction(() => !document.querySelector('.squiggly-error'), { timeout: 60_000 });
  await seen('hints of the new text', '.view-line', 'capacity\\W*2/2');
  await palette('>Gradine: Check', 'Gradine: Check');
  await seen('what check prints', '.view-line', 'components: 0 errors');
  await palette('>Testing: Focus on Test Explorer View', 'Test Explorer View');
  await seen('tests', '.test-explorer .monaco-list-row', 'tank\\.eventb|/INV');
  console.log('the extension runs in VS Code: diagnostics, hints, lenses, panel, typing, commands, tests');
} catch (error) {
  if (pictures) await page?.screenshot({ path: join(pictures, 'failed.png') });
  throw error;
} finally {
  await browser?.close();
  server.kill();
  await new Promise((done) => server.once('exit', done));
  rmSync(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
}
