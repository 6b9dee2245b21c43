// How the server is started, from what the user has set.

/** What the user may set: see package.json. */
export interface Settings {
  path: string;
  flags: string[];
}

export interface Started {
  command: string;
  args: string[];
  /** What the server is told at its start. */
  initializationOptions: { flags: string[] };
}

/** A setting of the wrong type is as good as none. */
export function read(get: (name: string) => unknown): Settings {
  const path = get("path");
  const flags = get("flags");
  const areWords = Array.isArray(flags) && flags.every((flag) => typeof flag === "string");
  return {
    path: typeof path === "string" && path.trim() !== "" ? path : "foldback",
    flags: areWords ? (flags as string[]) : ["--time-limit", "20s"],
  };
}

export function started(settings: Settings): Started {
  return { command: settings.path, args: ["lsp", "--stdio"], initializationOptions: { flags: settings.flags } };
}
