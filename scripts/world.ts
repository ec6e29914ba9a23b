/** Writes docs/world.md, the table of surroundings and features. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderWorldPage } from '../world/table/render-table.ts'

writeFileSync(join(import.meta.dirname, '../docs/world.md'), renderWorldPage())
