#!/usr/bin/env node
import { main } from "./main.ts";
import { outlivePipe } from "./pipe.ts";

outlivePipe(process.stdout);
outlivePipe(process.stderr);
await main(process.argv.slice(2));
