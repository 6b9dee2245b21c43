// Opens a C file in code-server with the extension, saves it, and looks at what the editor shows then.
//   node host.mjs FOLDBACK EXTENSION.vsix PICTURE.png
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

const [foldback, extension, picture] = process.argv.slice(2);
const program = `#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int absolute(int x) {
  if (x < 0)
    return -x;
  return x;
}

void count_harness(void) {
  int i = 0;
  while (__VERIFIER_nondet_int())
    if (i < 100)
      i += 2;
  assert(i <= 100);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(absolute(x) >= 0);
}
`;
const settings = {
  "foldback.path": foldback,
  "workbench.colorTheme": "Default Light Modern",
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
};

const folder = mkdtempSync(join(tmpdir(), "foldback-vscode-"));
const work = join(folder, "limits");
mkdirSync(work);
mkdirSync(join(folder, "data/User"), { recursive: true });
writeFileSync(join(work, "limits.c"), program);
writeFileSync(join(folder, "data/User/settings.json"), JSON.stringify(settings));
const entry = join(dirname(fileURLToPath(import.meta.url)), "node_modules/code-server/out/node/entry.js");
const own = ["--extensions-dir", join(folder, "extensions"), "--user-data-dir", join(folder, "data")];
const port = 20000 + (process.pid % 20000);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Until something is there, at most two minutes.
async function until(what, isThere) {
  for (let i = 0; i < 240; i++) {
    if (await isThere()) return;
    await wait(500);
  }
  throw new Error(`not there after two minutes: ${what}`);
}

let server, browser;
try {
  execFileSync("node", [entry, ...own, "--install-extension", extension], { stdio: "ignore" });
  const address = `127.0.0.1:${port}`;
  server = spawn("node", [entry, ...own, "--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check"], { stdio: "ignore" });
  await until("the server", () => fetch(`http://${address}/healthz`).then((answer) => answer.ok, () => false));
  browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`http://${address}/?folder=${work}`, { waitUntil: "domcontentloaded", timeout: 120000 });
  // Lines have spaces that do not break.
  const shows = (text) => page.evaluate((text) => document.body.innerText.replaceAll("\u00a0", " ").includes(text), text);
  await until("the file", () => shows("limits.c"));
  await wait(5000);
  const file = await page.$(".explorer-folders-view .monaco-list-row");
  await file.click({ count: 2 });
  await until("the lenses of a fresh file", () => shows("verify this function"));
  await page.click(".monaco-editor .view-lines");
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.down(key);
    for (const key of keys.reverse()) await page.keyboard.up(key);
  };
  // Nothing has changed: saved all the same.
  await press("Control", "s");
  await press("Control", "Shift", "m");
  const expected = [
    "assert: assertion fails: absolute(x) >= 0 (where x = -2147483648, absolute(x) = -2147483648)",
    "no-overflow: signed integer overflow in -x (where x = -2147483648)",
    "step 1: x = -2147483648",
    "verify this function (✓ true)",
    "verify this function (✗ false(assert))",
    "show the execution",
    "invariant: ",
  ];
  for (const text of expected) await until(text, () => shows(text));
  await wait(2000);
  await page.screenshot({ path: picture });
  console.log(`contrib/vscode/host: findings, steps, invariants and lenses are there: ${picture}`);
} finally {
  await browser?.close();
  server?.kill();
  await wait(1000);
  rmSync(folder, { recursive: true, force: true });
}
