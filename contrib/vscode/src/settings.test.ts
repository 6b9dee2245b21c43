import assert from "node:assert";
import { test } from "node:test";
import { read, started } from "./settings";

test("settings of the user", () => {
  const set: Record<string, unknown> = { path: "/opt/foldback/bin/foldback", flags: ["-Iinclude"] };
  const start = started(read((name) => set[name]));
  assert.deepStrictEqual(start, {
    command: "/opt/foldback/bin/foldback",
    args: ["lsp", "--stdio"],
    initializationOptions: { flags: ["-Iinclude"] },
  });
});

test("nothing set, or nonsense", () => {
  const usual = { path: "foldback", flags: ["--time-limit", "20s"] };
  assert.deepStrictEqual(read(() => undefined), usual);
  const nonsense: Record<string, unknown> = { path: " ", flags: ["-I", 3] };
  assert.deepStrictEqual(read((name) => nonsense[name]), usual);
});
