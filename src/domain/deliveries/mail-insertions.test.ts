import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { neutralizeLinks } from './mail-insertions.ts'

/** Matches a text that a mail program may turn into a link. */
const LINK = /[^\s\d.:/\\@。．｡](?:[.。．｡]+[\p{L}\d]{2}|(?:@|\\|:+\/|\/\/)[^\s.:/\\@。．｡])/u

test('typed texts are short, on one line, and contain no link', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.emailAddress()),
      (typed) => {
        const inserted = neutralizeLinks(typed)
        assert.doesNotMatch(inserted, LINK)
        assert.ok(inserted.length <= 101)
        assert.doesNotMatch(inserted, /[\n\r]/)
      },
    ),
  ))
