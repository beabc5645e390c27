// Starts `pincite lsp` and talks to it. All that is said about citations comes from there.
"use strict";

const vscode = require("vscode");
const { CloseAction, ErrorAction, LanguageClient, TransportKind } = require("vscode-languageclient/node");

const INSTALL = "pip install 'pincite[lsp]'";
// What the server calls it; the client registers that name itself.
const COPY = "pincite.copyCitation";
const SHOW = "pincite.showReferences";

let client;
let output;
let started = false;

function makeClient() {
  const [command, ...args] = vscode.workspace.getConfiguration("pincite").get("command");
  const server = { command, args: [...args, "lsp"], transport: TransportKind.stdio };
  return new LanguageClient("pincite", "pincite", server, {
    // Source files count as well: their comments cite, and their lines are cited.
    documentSelector: [{ scheme: "file" }, { scheme: "untitled", language: "markdown" }],
    outputChannel: output,
    initializationFailedHandler: () => false,
    // The server can open one place only; here the places that cite are listed.
    middleware: {
      executeCommand: (name, given, next) => (name === SHOW ? showReferences(given[0]) : next(name, given)),
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // A server that ends is not started again and again: `pincite: Restart` does it.
      closed: () => {
        // Before it runs, `start` says so.
        if (started) {
          started = false;
          complain("The server ended.");
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  });
}

async function start() {
  client = makeClient();
  try {
    await client.start();
    started = true;
  } catch (error) {
    client = undefined;
    output.appendLine(String(error));
    await complain("The server could not be started.");
  }
}

async function stop() {
  const running = client;
  client = undefined;
  started = false;
  if (running && running.isRunning()) {
    await running.stop();
  }
}

async function complain(problem) {
  const words = `pincite: ${problem} It needs Python 3.11 or newer and: ${INSTALL}`;
  const chosen = await vscode.window.showErrorMessage(words, "Copy the command", "Show the output", "Restart");
  if (chosen === "Copy the command") {
    await vscode.env.clipboard.writeText(INSTALL);
  } else if (chosen === "Show the output") {
    output.show();
  } else if (chosen === "Restart") {
    await vscode.commands.executeCommand("pincite.restart");
  }
}

async function showReferences({ uri, position }) {
  const place = [vscode.Uri.parse(uri), new vscode.Position(position.line, position.character)];
  const found = await vscode.commands.executeCommand("vscode.executeReferenceProvider", ...place);
  await vscode.commands.executeCommand("editor.action.showReferences", ...place, found || []);
}

async function copyCitation() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client || !client.isRunning()) {
    return;
  }
  const { start: begin, end } = editor.selection;
  // A selection of whole lines ends at the start of the line below.
  const last = end.line > begin.line && end.character === 0 ? end.line : end.line + 1;
  const uri = editor.document.uri.toString();
  const lines = [begin.line + 1, last];
  try {
    const argument = { uri, first: lines[0], last: lines[1], lines };
    const answer = await client.sendRequest("workspace/executeCommand", { command: COPY, arguments: [argument] });
    const text = typeof answer === "string" ? answer : answer && answer.citation;
    if (text) {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`Copied ${text}`, 4000);
    }
  } catch (error) {
    vscode.window.showWarningMessage(`pincite: ${error.message}`);
  }
}

async function activate(context) {
  output = vscode.window.createOutputChannel("pincite");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("pincite.copySelectionCitation", copyCitation),
    vscode.commands.registerCommand("pincite.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
