// Prints the types that openapi-typescript makes of an OpenAPI document: node generate.mjs DOCUMENT
import { readFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

process.stdout.write(astToString(await openapiTS(readFileSync(process.argv[2], 'utf8'))));
