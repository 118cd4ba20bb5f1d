#!/usr/bin/env node
/** The compiler of npm (WebAssembly) in the manners of the native one, as far as Forge calls it: `--version`, and JSON through the pipes. */
import { readFileSync } from "node:fs";
import solc from "solc";

if (process.argv.includes("--version")) process.stdout.write(`solc, from npm\nVersion: ${solc.version()}\n`);
else process.stdout.write(solc.compile(readFileSync(0, "utf8")));
