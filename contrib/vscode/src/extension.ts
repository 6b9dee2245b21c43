// Starts `foldback lsp` and leaves the rest to it: findings, hints, lenses and progress are the protocol's.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { read, started } from "./settings";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("foldback");
  const { command, args, initializationOptions } = started(read((name) => configuration.get(name)));
  client = new LanguageClient(
    "foldback",
    "foldback",
    { command, args },
    { documentSelector: [{ scheme: "file", language: "c" }], initializationOptions },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(`foldback: ${command} cannot be started: ${String(error)}`);
  }
}

async function stop(): Promise<void> {
  await client?.stop();
  client = undefined;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("foldback.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("foldback") ? restart() : undefined)),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
