// The ways in which a page is used: with a pointer, by keyboard alone, without scripts. A walk that is written for a hand is
// gone in each of them. What is pressed, filled or chosen is named by a pattern, as people hear it.
import assert from "node:assert/strict";

/** Moves on by Tab until the focus is on what the label names. */
export async function tabTo(page, label) {
  for (let steps = 0; steps < 80; steps++) {
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
    });
    if (label.test(name.trim())) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no Tab leads to ${label}`);
}

const pointer = (page) => ({
  press: (name) => page.getByRole("button", { name }).or(page.getByRole("link", { name })).or(page.locator("summary", { hasText: name })).filter({ visible: true }).first().click(),
  fill: (label, text) => page.getByLabel(label).fill(text),
  check: (label) => page.getByLabel(label).check(),
  choose: (label, option) => page.getByLabel(label).selectOption({ label: option }),
});

const keys = (page) => ({
  async press(name) {
    await tabTo(page, name);
    await page.keyboard.press("Enter");
  },
  async fill(label, text) {
    await tabTo(page, label);
    await page.keyboard.insertText(text);
  },
  async check(label) {
    await tabTo(page, label);
    await page.keyboard.press("Space");
  },
  async choose(label, option) {
    await tabTo(page, label);
    for (let steps = 0; steps < 20; steps++) {
      if ((await page.evaluate(() => document.activeElement.selectedOptions[0].label)) === option) return;
      await page.keyboard.press("ArrowDown");
    }
    assert.fail(`no arrow leads to ${option}`);
  },
});

/** How each way is called, what a page is opened with, and its hand. */
export const WAYS = [
  ["with a pointer", {}, pointer],
  ["by keyboard alone", {}, keys],
  ["without scripts", { script: false }, pointer],
];
