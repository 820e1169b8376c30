// Draws the pictures of docs/: node pictures.mjs, with $GRADINE and Chromium, behind npm
// test, which builds the panels. The models are those of docs/tutorial.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { counterexamples, page, refinements } from './out/panels.mjs';
import { Client } from './test/client.mjs';

const program = process.env.GRADINE ?? 'gradine';
const browser = process.env.CHROMIUM ?? 'chromium';
const docs = process.argv[2] ?? fileURLToPath(new URL('../../docs', import.meta.url));
const tutorial = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');

// The files that the page shows, in order; a file may be shown several times.
const files = [...tutorial.matchAll(/<!-- file (\S+) -->\n```\w*\n([^]*?)```/g)].map(([, name, text]) => ({ name, text }));
const root = mkdtempSync(join(tmpdir(), 'gradine-'));

function write(name, number = 0) {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, files.filter((file) => file.name === name)[number].text);
}

function draw(picture, html, width, height) {
  const path = join(root, `${picture}.html`);
  writeFileSync(path, html);
  execFileSync(browser, ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${join(root, 'browser')}`, `--window-size=${width},${height}`, `--screenshot=${join(docs, `${picture}.png`)}`, pathToFileURL(path).href], { stdio: 'ignore' });
}

try {
  write('gradine.toml');
  write('models/tank.eventb');
  const bug = new Client(program, root);
  await bug.start();
  await bug.open('models/tank.eventb');
  const refuted = await bug.settled('models/tank.eventb');
  draw('editor-counterexample', page('Counterexamples', counterexamples(bug.uri('models/tank.eventb'), refuted)), 560, 260);
  await bug.stop();

  write('models/tank.eventb', 1);
  write('models/pumped.eventb');
  const tree = new Client(program, root);
  await tree.start();
  await tree.open('models/pumped.eventb');
  await tree.settled('models/pumped.eventb');
  await tree.open('models/tank.eventb');
  await tree.settled('models/tank.eventb');
  draw('editor-refinements', page('Refinements', refinements(await tree.ask('gradine/refinements', { textDocument: { uri: tree.uri('models/pumped.eventb') } }))), 560, 400);
  await tree.stop();
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
