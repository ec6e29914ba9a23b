import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { HELP_PLACES } from './help-places.ts'

const screens = globSync('src/web/**/*.tsx').map((file) => readFileSync(file, 'utf8'))

test('each subject of the table has a link on a screen, with the page that the table names', () => {
  for (const [about, page] of Object.entries(HELP_PLACES)) {
    const links = [`about="${about}" page="${page}"`, `about: '${about}', page: '${page}'`]
    assert.ok(
      screens.some((text) => links.some((link) => text.replace(/\s+/g, ' ').includes(link))),
      about,
    )
  }
})
