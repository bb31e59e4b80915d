// Visits pages and tables of a service (its address is the argument) and prints what axe-core finds.
"use strict";
const { chromium } = require("playwright-core");
const { readFileSync } = require("fs");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const house = process.argv[2];
const games = ["off-with-their-heads", "we-are-not-amused", "red-queen", "messenger-rabbits", "munchkin-wonderland"];
const pages = ["/", "/archive", "/daily", "/chance", "/me", "/me/letters", "/sign-in", "/mailbox", "/offline", "/nothing", "/learn", "/learn/red-queen", "/learn/red-queen/01-strike-the-queen/a", ...games.map((game) => `/games/${game}`)];
const views = [{ width: 360, height: 740, colorScheme: "light" }, { width: 1280, height: 900, colorScheme: "dark" }];

async function look(page, name) {
  // The content policy keeps scripts of others out of the page, not what the browser itself is told to run.
  const found = await page.evaluate(`${axe}; axe.run(document)`);
  for (const { id, help, nodes } of found.violations) {
    console.log(`${name}: ${id}: ${help}`);
    for (const node of nodes.slice(0, 3)) console.log(`    ${node.html.slice(0, 160)}`);
  }
  return found.violations.length;
}

async function visit(browser, { width, height, colorScheme }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  let count = 0;
  for (const game of games) {
    await page.goto(`${house}/games/${game}`);
    await page.locator("form[action='/tables'] button.primary").first().click();
    if (await page.locator("#cut").count()) await page.locator("main form button.primary").first().click();
    await page.waitForSelector(".state.red", { timeout: 60000 });
    count += await look(page, `table of ${game} (${width}, ${colorScheme})`);
    const table = page.url().split("#")[0];
    await page.goto(`${table}/at/0`);
    count += await look(page, `history of ${game} (${width}, ${colorScheme})`);
    await page.goto(`${table}/check`);
    count += await look(page, `check of ${game} (${width}, ${colorScheme})`);
  }
  for (const path of pages) {
    await page.goto(house + path);
    count += await look(page, `${path} (${width}, ${colorScheme})`);
  }
  await context.close();
  return count;
}

(async () => {
  const path = process.env.CHROMIUM || "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  let count = 0;
  for (const view of views) count += await visit(browser, view);
  await browser.close();
  console.log(count ? `${count} findings` : "Nothing was found.");
  process.exit(count ? 1 : 0);
})();
